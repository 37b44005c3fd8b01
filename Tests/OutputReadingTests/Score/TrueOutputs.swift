/// Programs that print how far they are.
extension TimedOutput {
    static let truthful: [TimedOutput] =
        [
            recorded("par2", truth: #"Processing: ([0-9.]+)%"#),
            recorded("aria2", truth: #"\(([0-9]+)%\)"#),
            recorded("alive", truth: #"\[([0-9]+)%\]"#),
            recorded("click", truth: #" ([0-9]+)%"#),
            recorded("progressbar2", truth: #" ([0-9]+)%"#),
            recorded("sevenzip", truth: #" ([0-9]+)%"#),
            recorded("pytest", truth: #"([0-9]+)%\]"#),
        ] + single + nested + phases

    private static let single: [TimedOutput] = [
        MadeOutput.program("scp", 20, in: 20) {
            "\rphotos.tar  \(Print.padded(Print.whole($0), 3))%   \($1 * 12)MB  12.1MB/s   00:\(30 - $1) ETA"
        },
        MadeOutput.program("mke2fs", 80, in: 6) { done, number in
            (number == 1 ? "Writing inode tables: " : "")
                + "\(Print.padded(number - 1, 2))/80\u{8}\u{8}\u{8}\u{8}\u{8}"
        },
        MadeOutput.program("esptool", 100, in: 10) {
            "\rWriting at 0x000\($1 * 400 + 10_000)... (\(Print.whole($0)) %)"
        },
        MadeOutput.program("avrdude", 50, in: 5) {
            "\rWriting | \(Print.bar($0, 50, full: "#", empty: " ")) | \(Print.whole($0))% 0.\($1 % 10)s"
        },
        MadeOutput.program("nmap", 10, in: 20) {
            "Stats: 0:00:\($1 + 10) elapsed; 0 hosts completed (1 up), 1 undergoing SYN Stealth Scan\n"
                + "SYN Stealth Scan Timing: About \(Print.decimal($0, digits: 2))% done; ETC: 22:1\($1 % 6)\n"
        },
        MadeOutput.program("fio", 30, in: 15) {
            "\rJobs: 1 (f=1): [W(1)][\(Print.decimal($0))%][w=12\($1 % 10)MiB/s][w=31 IOPS][eta 00m:\(45 - $1)s]"
        },
        MadeOutput.program("cargo", 60, in: 12) {
            "\r    Building [\(Print.bar($0, 25, full: "=", empty: " "))] \($1 - 1)/60: serde(build), libc"
        },
        MadeOutput.program("ctest", 40, in: 10) {
            (_: Double, number: Int) in
            "      Start \(Print.padded(number, 2)): case\(number)\n"
                + "\(Print.padded(number, 2))/40 Test  #\(number): case\(number) ......   Passed    0.2\(number % 10) sec\n"
        },
        MadeOutput.program("gradle", 60, in: 30) {
            "\r<\(Print.bar($0, 13, full: "=", empty: "-"))> \(Print.whole($0))% EXECUTING [\($1 / 2)s]"
        },
        MadeOutput.program("mkvmerge", 100, in: 8) { done, _ in
            "\rProgress: \(Print.whole(done))%"
        },
        MadeOutput.program("bazel", 50, in: 25) { done, number in
            "\r[\(Print.padded(number, 2)) / 50] 3 actions running; last: //a:b\(number)"
        },
        MadeOutput.program("dnf", 20, in: 10) {
            "  Installing       : library\($1)-1.2.\($1)-1.x86_64 \(Print.padded($1, 20))/20 \n"
        },
        MadeOutput.program("enlighten") { made in
            made.print(3, in: 0.3) { _, number in "warming up: \(number * 5)%\n" }
            made.print(120, in: 12) { done, number in
                "\u{1b}[24;1H\r\u{1b}[KBasic \(Print.padded(Print.whole(done), 3))%"
                    + "|\(Print.bar(done, 33, full: "█", empty: " "))| \(Print.padded(number - 1, 3))/120"
                    + " [00:0\(number / 12 % 10)<00:10, 10.00 ticks/s]\u{1b}[23;1H"
            }
        },
        MadeOutput.program("pytorch", 10, in: 30) { done, number in
            number == 1
                ? "training on cpu\n"
                : "Epoch [\(number - 1)/10], Loss: 0.\(90 - number * 5), Acc: \(70 + number * 2).\(number)%\n"
        },
        MadeOutput.program("rclone", 60, in: 60) { done, number in
            "Transferred:   \t   \(number * 10) MiB / 600 MiB, \(Print.whole(done))%, 10 MiB/s, ETA \(60 - number)s\n"
                + "Transferred:            \(number / 10) / 6, \(number / 10 * 16)%\nElapsed time:         \(number).0s\n"
        },
        MadeOutput.program("mdadm", 40, in: 40) { done, _ in
            "      [\(Print.bar(done, 20))]  resync = \(Print.decimal(done))%"
                + " (\(Int(done * 292_945_152))/292945152) finish=12.1min speed=100000K/sec\n"
        },
        MadeOutput.program("webpack", 90, in: 9) { done, _ in
            "<s> [webpack.Progress] \(Print.whole(done))% building \(Int(done * 300))/300 modules\n"
        },
        MadeOutput.program("log with the load", 30, in: 30) { done, number in
            "12:00:\(number + 10) cpu \(Print.wave(number, 3, 95))% disk \(40 + number / 2)%"
                + " rendered frame \(number - 1) of 30\n"
        },
        MadeOutput.program("restic", 60, in: 30) { done, number in
            "\r[0:\(number / 2 + 10)] \(Print.decimal(done, digits: 2))%  \(number) files 1.\(number % 10) GiB,"
                + " total 60 files 1.9 GiB, 0 errors ETA 0:\(40 - number / 2)"
        },
    ]

    private static let nested: [TimedOutput] = [
        MadeOutput.program("keras") { made in
            for epoch in 1...3 {
                made.print("Epoch \(epoch)/3\n")
                made.print(469, in: 10) { done, number in
                    "\r\(Print.padded(number, 3))/469 [\(Print.bar(done, 30))] - ETA: \(10 - Int(done * 10))s"
                        + " - loss: 0.\(900 - number) - accuracy: 0.\(500 + number)"
                }
                made.print("\n")
            }
        },
        MadeOutput.program("keras 3, with validation") { made in
            for epoch in 1...4 {
                made.print("Epoch \(epoch)/4\n")
                made.print(200, in: 10) { done, number in
                    let bar = "\u{1b}[32m\(Print.bar(done, 20, full: "━", empty: ""))\u{1b}[0m"
                    return
                        "\r\u{1b}[1m\(Print.padded(number, 3))/200\u{1b}[0m \(bar)\u{1b}[37m━━━━━━\u{1b}[0m"
                        + " \u{1b}[1m9s\u{1b}[0m 50ms/step - accuracy: 0.\(500 + number) - loss: 0.9"
                }
                made.print("\n")
                made.print(20, in: 0.5) { _, number in
                    "\r\u{1b}[1m\(Print.padded(number, 2))/20\u{1b}[0m ━━━━━━━━━━ 0s 3ms/step"
                }
                made.print("\n")
            }
        },
        MadeOutput.program("pytorch steps") { made in
            for epoch in 1...5 {
                made.print(6, in: 6) { _, step in
                    "Epoch [\(epoch)/5], Step [\(step * 100)/600], Loss: 0.\(900 - epoch * 100 - step)\n"
                }
            }
        },
        MadeOutput.program("three passes") { made in
            for pass in 1...3 {
                made.print(100, in: 10) { done, _ in "\rPass \(pass)/3: \(Print.whole(done))%" }
                made.print("\rPass \(pass)/3: 100%\n")
            }
        },
        MadeOutput.program("handbrake") { made in
            for task in 1...2 {
                made.print(200, in: 20) { done, number in
                    "\rEncoding: task \(task) of 2, \(Print.decimal(done, digits: 2)) %"
                        + " (31.\(number % 10) fps, avg 30.52 fps, ETA 00h00m\(30 - number / 10)s)"
                }
                made.print("\n")
            }
        },
        MadeOutput.program("pacman") { made in
            for number in 1...6 {
                made.print(40, in: 2) { done, _ in
                    "\r(\(number)/6) installing library\(number)  [\(Print.bar(done, 22, full: "#", empty: "-"))]"
                        + " \(Print.padded(Print.whole(done), 3))%"
                }
                made.print(
                    "\r(\(number)/6) installing library\(number)  [######################] 100%\n"
                )
            }
        },
    ]

    private static let phases: [TimedOutput] = [
        MadeOutput.program("par2 verify") { made in
            made.print("Loading \"photos.par2\".\n")
            made.print(40, in: 0.1) { done, _ in "Loading: \(Print.decimal(done * 0.999))%\r" }
            made.print("Loaded 99 new packets\n")
            made.print(620, in: 62) { done, _ in
                "Scanning: \"photos.tar\": \(Print.decimal(done))%\r"
            }
        },
        MadeOutput.program("badblocks") { made in
            for pattern in ["aa", "55", "ff", "00"] {
                for phase in ["Testing with pattern 0x\(pattern): ", "Reading and comparing: "] {
                    made.print(phase)
                    made.print(10, in: 5) { done, number in
                        let text =
                            "\(Print.padded(Print.decimal(done, digits: 2), 6))% done, 0:\(number + 10) elapsed."
                            + " (0/0/0 errors)"
                        return text + String(repeating: "\u{8}", count: text.count)
                    }
                    made.print("done                                                 \n")
                }
            }
        },
        MadeOutput.program("e2fsck") { made in
            for pass in 1...5 {
                made.print("Pass \(pass): Checking something\n")
                made.print(40, in: 4) { done, _ in
                    "\rdisk.img: |\(Print.bar(done, 40, empty: " "))| \(Print.padded(Print.decimal((Double(pass - 1) + done) / 5), 4))%   "
                }
                made.print("\r\n")
            }
        },
        MadeOutput.program("scp of several") { made in
            for (name, seconds) in [("a.tar", 10.0), ("notes.txt", 0.2), ("b.tar", 20.0)] {
                made.print(20, in: seconds) { done, number in
                    "\r\(name)    \(Print.padded(Print.whole(done), 3))%   \(number)MB  12.1MB/s   00:10 ETA"
                }
                made.print("\r\(name)    100%   20MB  12.1MB/s   00:10    \r\n")
            }
        },
        MadeOutput.program("yt-dlp") { made in
            for (file, seconds) in [("clip.f137.mp4", 12.0), ("clip.f140.m4a", 6.0)] {
                made.print("[download] Destination: \(file)\n")
                made.print(80, in: seconds) { done, _ in
                    "\r[download] \(Print.padded(Print.decimal(done), 5))% of   31.27MiB at    2.10MiB/s ETA 00:05"
                }
                made.print("\r[download] 100% of   31.27MiB in 00:00:06 at 2.10MiB/s\n")
            }
            made.print("[Merger] Merging formats into \"clip.mp4\"\n")
            made.wait(3)
        },
        MadeOutput.program("flash and verify") { made in
            made.print(100, in: 10) { done, _ in "\rWriting \(Print.whole(done))%" }
            made.print("\rWriting 100%\n")
            made.print(100, in: 10) { done, _ in "\rVerifying \(Print.whole(done))%" }
        },
        MadeOutput.program("a long silent end") { made in
            made.print(40, in: 4) { done, _ in "\rUnpacking \(Print.whole(done))%" }
            made.print("\rUnpacking 100%\n")
            made.wait(40)
        },
        MadeOutput.program("curl in a script") { made in
            made.print(
                "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
            )
            made.print(20, in: 2) { done, number in
                "\r\(Print.padded(Print.whole(done), 3)) 4000k  \(Print.padded(Print.whole(done), 3))"
                    + " \(Print.padded("\(number * 200)k", 5))    0     0  2000k      0  0:00:02  0:00:01  0:00:01 2000k"
            }
            made.print(
                "\r100 4000k  100 4000k    0     0  2000k      0  0:00:02  0:00:02 --:--:-- 2000k\n"
            )
            made.print(30, in: 30) { _, number in
                "configure: checking for header \(number)... yes\n"
            }
        },
    ]
}
