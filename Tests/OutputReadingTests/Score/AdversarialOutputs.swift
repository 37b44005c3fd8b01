/// Programs that print numbers which are no progress: any bar is false.
extension TimedOutput {
    static let adversarial: [TimedOutput] = ([recorded("gzip-v")] + logs + tables)
        .map { $0.saysNothing() }

    private static let logs: [TimedOutput] = [
        MadeOutput.program("log: cpu, memory, disk", 40, in: 40) { _, number in
            "2026-11-22 10:00:\(number + 10) INFO cpu \(Print.wave(number, 2, 60))% mem \(30 + number / 4)%"
                + " disk \(70 + number / 5)%\n"
        },
        MadeOutput.program("log: memory grows", 60, in: 60) { _, number in
            "[worker] memory usage: \(number)%\n"
        },
        MadeOutput.program("log: heap in brackets", 40, in: 40) { _, number in
            "GC pause 3 ms, heap \(number * 10)M (\(number)%)\n"
        },
        MadeOutput.program("log: buffer fills", 40, in: 40) { _, number in
            "buf: \(number * 2)% of 64 MB\n"
        },
        MadeOutput.program("log: accuracy", 40, in: 40) { _, number in
            "step done, acc: \(10 + number * 2)%\n"
        },
        MadeOutput.program("log: battery charges", 40, in: 40) { _, number in
            "Battery 0: Charging, \(number * 2)%, 01:1\(number % 10):00 until charged\n"
        },
        MadeOutput.program("log: an unknown level", 60, in: 60) { _, number in
            "pressure \(Print.wave(number, 5, 80))%\n"
        },
        MadeOutput.program("log: load drawn over", 60, in: 30) { _, number in
            "\rload \(Print.wave(number, 5, 80))%"
        },
        MadeOutput.program("dates", 20, in: 20) { _, number in
            "11/\(number + 10)/2026 backed up; next on 11/\(number + 11)\n"
        },
        MadeOutput.program("retries", 5, in: 20) { _, number in
            "connection refused, attempt \(number)/5\n"
        },
        MadeOutput.program("retry in words", 5, in: 20) { _, number in
            "Retry \(number) of 5: timed out\n"
        },
        MadeOutput.program("access log", 40, in: 10) { _, number in
            "127.0.0.1 - - [22/Nov/2026:10:00:\(number + 10) +0000] \"GET /a/\(number)/40 HTTP/1.1\" 200 \(number)\n"
        },
        MadeOutput.program("packet loss", 20, in: 20) { _, number in
            "64 bytes from 10.0.0.1: icmp_seq=\(number) ttl=64\n\(number) packets, \(number / 2)% packet loss\n"
        },
        MadeOutput.program("git diff --stat -M", 12, in: 1) { _, number in
            " rename src/{a => b}/file\(number).c (\(50 + number * 4)%)\n"
        },
        MadeOutput.program("zip", 12, in: 6) { _, number in
            "  adding: notes\(number).txt (deflated \(number * 5)%)\n"
        },
        MadeOutput.program("replicas", 10, in: 20) { _, number in
            "deployment \"web\": \(min(number, 5))/5 replicas ready\n"
        },
        MadeOutput.program("versions", 10, in: 10) { _, number in
            "checking libfoo >= 1.\(number)/2.0 ... 1.\(number)\n"
        },
        MadeOutput.program("hit rate", 40, in: 40) { _, number in
            "cache hits \(number + 4)%, misses \(96 - number)%\n"
        },
    ]

    private static let tables: [TimedOutput] = [
        MadeOutput.program("df at once") { made in
            made.print("Filesystem      Size  Used Avail Use% Mounted on\n")
            for (number, use) in [4, 12, 45, 81].enumerated() {
                made.print("/dev/sda\(number)        50G  6.0G   44G  \(use)% /mnt\(number)\n")
            }
            made.wait(5)
        },
        MadeOutput.program("df again and again", 30, in: 30) { _, number in
            "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        50G  6.0G   44G  \(number)% /\n"
        },
        MadeOutput.program("free in percent", 30, in: 30) { _, number in
            "used \(10 + number)% free \(90 - number)%\n"
        },
        MadeOutput.program("top -b", 20, in: 20) { _, number in
            "%Cpu(s):  \(number).9 us,  2.0 sy,  0.0 ni, 92.1 id\nMiB Mem :  15.\(number)/24.0\n"
                + " 1234 root      20   0  162356   2344   1824 R   \(number).9   0.0   0:00.\(number + 10) top\n"
        },
        MadeOutput.program("htop") { made in
            made.print("\u{1b}[?1049h\u{1b}[H")
            made.print(30, in: 30) { _, number in
                "\u{1b}[H  1[|||||||       \(number * 3).0%]\u{1b}[2;1H  Mem[||||||  \(number)/48]"
            }
            made.print("\u{1b}[?1049l")
        },
        MadeOutput.program("watch df") { made in
            made.print("\u{1b}[?1049h\u{1b}[H")
            made.print(30, in: 30) { _, number in
                "\u{1b}[H\u{1b}[JEvery 1.0s: ./level\n\nlevel of tank \(number)%\n"
            }
            made.print("\u{1b}[?1049l")
        },
        MadeOutput.program("docker stats", 30, in: 30) { _, number in
            "\u{1b}[2J\u{1b}[HCONTAINER ID   NAME   CPU %   MEM USAGE / LIMIT   MEM %\n"
                + "0a1b2c3d4e5f   web    \(number).12%   3.2MiB / 1.9GiB     0.\(number + 10)%\n"
        },
        MadeOutput.program("nvidia-smi", 30, in: 30) { _, number in
            "|  30%   45C    P8    20W / 250W |   1024MiB / 11264MiB |     \(number)%      Default |\n"
        },
        MadeOutput.program("ab") { made in
            made.print("Completed 100 requests\nCompleted 200 requests\n")
            made.wait(3)
            for (percent, time) in [(5, 10), (50, 12), (66, 15), (75, 18), (90, 40), (100, 99)] {
                made.print("  \(percent)%     \(time)\n")
            }
            made.wait(3)
        },
        MadeOutput.program("coverage", 12, in: 1) { _, number in
            "src/module\(number).py      \(number * 10)      \(number)    \(70 + number)%\n"
        },
        MadeOutput.program("perf stat", 6, in: 12) { _, number in
            "     1,234,\(100 + number)      branch-misses     #    \(number).35% of all branches\n"
        },
        MadeOutput.program("benchmark", 20, in: 20) { _, number in
            "parse/\(number * 100)   12\(number) ns/op   \(number)% slower than before\n"
        },
        MadeOutput.program("iwconfig", 20, in: 20) { _, number in
            "          Link Quality=\(number + 2)/70  Signal level=-\(60 - number) dBm\n"
        },
        MadeOutput.program("sales", 12, in: 12) { _, number in
            "discount \(number * 3)%\n"
        },
    ]
}
