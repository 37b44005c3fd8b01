/// A program of somebody else as people run it, and what the bus should have of it at its end.
struct RealProgram: Sendable, CustomStringConvertible {
    enum Comparison: Sendable {
        /// What it prints has nothing of the time in it.
        case bytes
        /// Without numbers: each line as it was when it ended.
        case words
    }

    var name: String
    /// What must be installed for it.
    var needs: [String]
    /// Shell text that is run once, in `$HERE/in`, where nothing is yet.
    var setup: String
    /// Shell text before each of the two runs, in an empty directory `$HERE/work` beside it.
    var before = ":"
    /// Shell text that `exec progressbus run --` may stand before.
    var command: String
    var status: Int32 = 0
    var comparison = Comparison.words
    /// The job and all of its parts: title, amounts, state.
    var tree: [String]

    var description: String { name }

    static let all = transfers + builds + others + failures

    /// Random, so that nothing can make it small: three million bytes.
    private static let data = "head -c 3000000 /dev/urandom > data.bin"

    private static let transfers = [
        RealProgram(
            name: "rsync",
            needs: ["rsync"],
            setup: "mkdir d; for n in 1 2 3 4 5 6; do head -c 500000 /dev/urandom > d/$n; done",
            command: "rsync -a --info=progress2 --bwlimit=4m ../in/d/ d/",
            tree: ["rsync: 10000/10000 percent, succeeded"]
        ),
        RealProgram(
            name: "curl",
            needs: ["curl"],
            setup: data,
            command: "curl -o o $SERVER/in/data.bin",
            tree: ["curl: 2999296/2999296 bytes, succeeded"]
        ),
        RealProgram(
            name: "wget",
            needs: ["wget"],
            setup: data,
            command: "wget -O o $SERVER/in/data.bin",
            tree: ["wget: 3000000/3000000 bytes, succeeded"]
        ),
        RealProgram(
            name: "git clone",
            needs: ["git", "pv"],
            // Slowly, so that the last phase is a row of its own.
            setup: """
                echo 'git-upload-pack "$@" | pv -qL 40k' > slow; chmod +x slow; git init -q .; for n in $(seq 300); do head -c 300 /dev/urandom > f$n; done; git add f*
                git -c user.name=a -c user.email=a@b commit -qm x
                """,
            command: "git clone --progress --upload-pack=$HERE/in/slow file://$HERE/in/.git clone",
            tree: [
                "git clone: 0/– items, succeeded",
                "Enumerating objects: 302/302 objects, succeeded",
                "Counting objects: 302/302 objects, succeeded",
                "Compressing objects: 302/302 objects, succeeded",
                "Receiving objects: 302/302 objects, succeeded",
            ]
        ),
        RealProgram(
            name: "pip download",
            needs: ["python3"],
            setup: """
                python3 - <<'END'
                import os, zipfile
                with zipfile.ZipFile("tinything-1.0-py3-none-any.whl", "w") as wheel:
                    wheel.writestr("tinything.bin", os.urandom(900_000))
                    about = "tinything-1.0.dist-info/"
                    wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: tinything\\nVersion: 1.0\\n")
                    wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
                    wheel.writestr(about + "RECORD", "")
                END
                """,
            command: """
                python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --no-index \
                --find-links $SERVER/in/ -d out tinything
                """,
            tree: [
                "pip download: 0/– items, succeeded",
                "tinything-1.0-py3-none-any.whl: 900600/900600 bytes, succeeded",
            ]
        ),
    ]

    private static let builds = [
        RealProgram(
            name: "ninja",
            needs: ["ninja"],
            setup: """
                { printf 'rule wait\\n  command = sleep 0.02 && touch $out\\n'
                for n in $(seq 40); do echo "build o$n: wait"; done; } > build.ninja
                """,
            command: "ninja -j 1 -f ../in/build.ninja",
            tree: ["ninja: 40/40 steps, succeeded"]
        ),
        RealProgram(
            name: "make",
            needs: ["cmake", "make", "cc"],
            setup: """
                printf 'cmake_minimum_required(VERSION 3.5)\\nproject(p C)\\n' > CMakeLists.txt
                echo 'add_executable(p main.c a.c b.c c.c)' >> CMakeLists.txt
                echo 'int main(void) { return 0; }' > main.c
                for n in a b c; do echo "int $n(void) { return 0; }" > $n.c; done
                """,
            before: "cmake -S ../in -B . -G 'Unix Makefiles' >/dev/null",
            command: "make",
            comparison: .bytes,
            tree: ["make: 10000/10000 percent, succeeded"]
        ),
        RealProgram(
            name: "swift build",
            needs: ["swift"],
            setup: """
                mkdir -p Sources/tiny; echo 'print("tiny")' > Sources/tiny/main.swift
                { echo '// swift-tools-version: 6.0'; echo 'import PackageDescription'
                echo 'let package = Package(name: "tiny", targets: [.executableTarget(name: "tiny")])'
                } > Package.swift
                """,
            before: "cp -R ../in/. .",
            command: "swift build",
            tree: ["swift build: 8/8 steps, succeeded"]
        ),
    ]

    private static let others = [
        RealProgram(
            name: "dd",
            needs: ["dd"],
            setup: data,
            // Two seconds, as it says how far it is once in a second.
            before: """
                mkfifo fifo
                { for n in 1 2 3 4 5 6; do head -c 500000 ../in/data.bin; sleep 0.35; done; } > fifo &
                """,
            command: "dd if=fifo of=/dev/null bs=100k count=30 iflag=fullblock status=progress",
            tree: ["dd: 3000000/~3072000 bytes, succeeded"]
        ),
        RealProgram(
            name: "pv",
            needs: ["pv"],
            setup: data,
            command: "pv -L 3m ../in/data.bin > /dev/null",
            tree: ["pv: 10000/10000 percent, succeeded"]
        ),
        RealProgram(
            name: "xz",
            needs: ["xz"],
            setup: "seq 600000 > words.txt",
            command: "xz -9e -v -c ../in/words.txt > /dev/null",
            tree: ["xz: 10000/10000 percent, succeeded"]
        ),
        RealProgram(
            name: "zstd",
            needs: ["zstd"],
            setup: "seq 900000 > words.txt",
            command: "zstd -17 ../in/words.txt -o o",
            tree: ["zstd: 6186598/6186598 bytes, succeeded"]
        ),
        RealProgram(
            name: "ffmpeg",
            needs: ["ffmpeg"],
            setup: "ffmpeg -v quiet -f lavfi -i testsrc=duration=20:size=320x240 a.mpg",
            command: "ffmpeg -hide_banner -stats_period 0.1 -i ../in/a.mpg b.mpg",
            tree: ["ffmpeg: 10000/10000 percent, succeeded"]
        ),
        RealProgram(
            name: "tqdm",
            needs: ["$PYTHON -c 'import tqdm'"],
            setup: """
                { echo 'import time, tqdm'; echo 'for n in tqdm.tqdm(range(200)): time.sleep(0.005)'
                } > train.py
                """,
            command: "$PYTHON ../in/train.py",
            tree: ["tqdm: 200/200 items, succeeded"]
        ),
    ]

    private static let failures = [
        RealProgram(
            name: "git clone of nothing",
            needs: ["git"],
            setup: ":",
            command: "git clone --progress file://$HERE/nothing clone",
            status: 128,
            comparison: .bytes,
            tree: ["git clone of nothing: 0/– items, failed"]
        ),
        RealProgram(
            name: "curl of nothing",
            needs: ["curl"],
            setup: ":",
            command: "curl -o o http://127.0.0.1:1/",
            status: 7,
            tree: ["curl of nothing: 0/– bytes, failed"]
        ),
        RealProgram(
            name: "ninja that fails",
            needs: ["ninja"],
            setup: """
                { printf 'rule fail\\n  command = sleep 0.02 && test $out != o3\\n'
                for n in 1 2 3 4; do echo "build o$n: fail"; done; } > build.ninja
                """,
            command: "ninja -j 1 -f ../in/build.ninja",
            status: 1,
            tree: ["ninja that fails: 3/4 steps, failed"]
        ),
    ]
}
