extension Recording {
    private static let twoFiles = "http://127.0.0.1:18765/small.bin http://127.0.0.1:18765/more.bin"

    /// All of them; the sizes and counts are those of the files that were used.
    static let all = programs + scripts

    private static let programs = [
        Recording("curl", "curl -o o http://a/data.bin", ["-: 2999296/2999296 bytes"]),
        Recording(
            "curl-hash",
            "/usr/bin/curl -# -o o http://a/data.bin",
            ["-: 10000/10000 percent"],
        ),
        Recording(
            "curl-two",
            "curl -o a -o b \(twoFiles)",
            [
                "-:, 2 parts", "small.bin: 799744/799744 bytes, done",
                "more.bin: 499712/499712 bytes",
            ],
            // The second time nobody knows how many there are.
            bySight: [
                "-:", "curl: 799744/799744 bytes, done", "curl (2): 499712/499712 bytes, done",
            ]
        ),
        Recording(
            "wget",
            "nice -n 5 wget http://a/data.bin",
            ["-: 3000000/3000000 bytes"],
            bySight: ["o5: 3000000/3000000 bytes, done"]
        ),
        Recording(
            "wget-dot",
            "wget --progress=dot http://a/data.bin",
            ["-: 3000000/3000000 bytes"],
            bySight: ["o6: 3000000/3000000 bytes, done"]
        ),
        Recording(
            "wget-quiet",
            "wget -q --show-progress -O copy.bin http://a/data.bin",
            ["-: 10000/10000 percent"],
            bySight: ["-: 10000/10000 percent"]
        ),
        Recording(
            "wget-two",
            "wget http://a/small.bin http://a/data.bin",
            ["small.bin: 800000/800000 bytes, done", "data.bin: 3000000/3000000 bytes, done"]
        ),
        Recording(
            "rsync-progress2",
            "rsync -a --info=progress2 src/ dst1",
            ["-: 10000/10000 percent"]
        ),
        Recording(
            "rsync-progress",
            "rsync -av --progress src/ dst2",
            [
                "a b.dat: 10000/10000 percent, done", "-: 9/9 files",
                "sub/f1.bin: 10000/10000 percent, done", "sub/f2.bin: 10000/10000 percent, done",
                "sub/f3.bin: 10000/10000 percent, done", "sub/f4.bin: 10000/10000 percent, done",
                "sub/f5.bin: 10000/10000 percent, done", "sub/f6.bin: 10000/10000 percent, done",
            ],
            // What the first file is shows only when it is done.
            bySight: [
                "-: 9/9 files",
                "sub/f1.bin: 10000/10000 percent, done", "sub/f2.bin: 10000/10000 percent, done",
                "sub/f3.bin: 10000/10000 percent, done", "sub/f4.bin: 10000/10000 percent, done",
                "sub/f5.bin: 10000/10000 percent, done", "sub/f6.bin: 10000/10000 percent, done",
            ]
        ),
        Recording(
            "git-clone",
            "sudo -u me git clone --progress file:///bare.git",
            [
                "Enumerating objects: 309/309 objects, done",
                "Counting objects: 309/309 objects, done",
                "Compressing objects: 307/307 objects, done",
                "Receiving objects: 309/309 objects, done",
                "Resolving deltas: 299/299 deltas, done",
            ],
            bySight: [
                "Counting objects: 309/309 objects, done",
                "Compressing objects: 307/307 objects, done",
                "Receiving objects: 309/309 objects, done",
                "Resolving deltas: 299/299 deltas, done",
            ]
        ),
        Recording(
            "git-push",
            "git push --progress file:///other.git --all",
            [
                "Enumerating objects: 309/309 objects, done",
                "Counting objects: 309/309 objects, done",
                "Compressing objects: 307/307 objects, done",
                "Writing objects: 309/309 objects, done",
                "Resolving deltas: 299/299 deltas, done",
            ],
            bySight: [
                "Counting objects: 309/309 objects, done",
                "Compressing objects: 307/307 objects, done",
                "Writing objects: 309/309 objects, done",
                "Resolving deltas: 299/299 deltas, done",
            ]
        ),
        Recording("ninja", "ninja -j 2", ["-: 60/60 steps"]),
        Recording("make", "make -C b", ["-: 10000/10000 percent"]),
        Recording("swift-build", "swift build", ["-: 18/18 steps"], totalGrows: true),
        Recording("ffmpeg", "ffmpeg -f lavfi -i testsrc=duration=20 a.mp4", ["-: 19 s"]),
        Recording("ffmpeg-file", "ffmpeg -i a.mp4 b.mp4", ["-: 10000/10000 percent"]),
        Recording(
            "ffmpeg-progress",
            "ffmpeg -nostats -progress - -i a.mp4 b.mp4",
            ["-: 19 s"],
            bySight: []
        ),
        Recording("pv", "pv data.bin", ["-: 10000/10000 percent"]),
        Recording("pv-numeric", "pv -n data.bin", ["-: 10000/10000 percent"], bySight: []),
        Recording("pv-unknown", "pv", ["-: 2998927 bytes"]),
        Recording("pv-bytes", "pv -b data.bin", ["-: 2998927 bytes"], bySight: []),
        Recording(
            "dd",
            "dd if=data.bin bs=100k count=30 status=progress",
            ["-: 3000000/~3072000 bytes"],
            bySight: ["-: 3000000 bytes"]
        ),
        Recording("xz", "xz -9e -v words.txt", ["-: 10000/10000 percent"]),
        Recording("xz-decompress", "xz -dcv words.txt.xz", ["-: 10000/10000 percent"]),
        Recording("zstd", "zstd -17 -v half.txt", ["-: 5505024 bytes"]),
        Recording("zstd-two", "zstd -13 -v half.txt words2.txt", ["-: 13904117 bytes"]),
        Recording("zstd-plain", "zstd -17 half.txt", ["-: 5505024/5505024 bytes"]),
        Recording(
            "zstd-plain-two",
            "zstd -17 half.txt words2.txt",
            [
                "-:, 2 parts", "half.txt: 5505024/5505024 bytes, done",
                "words2.txt: 8388608/8399093 bytes",
            ]
        ),
        Recording(
            "apt",
            "apt-get install --reinstall -y pv",
            ["Download: 10000/10000 percent, done", "-: 2/2 steps"]
        ),
        // The bar's last word is 80 %.
        Recording(
            "apt-fancy",
            "apt-get install --reinstall -y -o Dpkg::Progress-Fancy=1 pv",
            ["Download: 10000/10000 percent, done", "-: 8000/10000 percent"]
        ),
        Recording(
            "apt-update",
            "sudo apt-get update",
            ["Download: 10000/10000 percent, done"]
        ),
        Recording("cmake-configure", "cmake -B b", [], bySight: []),
    ]

    private static let packages = [
        "-:", "tinything-1.2.0-py3-none-any.whl: 900800/900800 bytes, done",
        "otherthing-1.2.0-py3-none-any.whl: 1500000/1500000 bytes, done",
    ]

    /// Scripts may be called anything; only their bars tell.
    private static let scripts = [
        Recording("pip-download", "python3 -m pip download tinything", packages),
        Recording("pip-install", "pip3.11 install tinything", packages),
        Recording("tqdm", "python3 train.py", ["-: 400/400"]),
        Recording(
            "tqdm-nested",
            "python3 train.py",
            [
                // Most of the inner bars were never drawn beyond their beginning.
                "epochs: 40/40, done", "batches: 4/5, done", "batches (2): 5/5, done",
                "batches (3): 0/5", "data.bin: 3000000/3000000 bytes, done",
            ]
        ),
        Recording(
            "rich",
            "python3 load.py",
            [
                "Downloading: 10000/10000 percent, done",
                "Processing files: 10000/10000 percent, done",
            ]
        ),
        Recording("rich-track", "python3 load.py", ["Working on it...: 10000/10000 percent, done"]),
    ]
}
