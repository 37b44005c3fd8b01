import Testing

@testable import ProgressBusCommand

/// What may be between the machine and the command of `progressbus ssh`.
struct SSHOptionsTests {
    @Test(arguments: [
        "", "-p 2222", "-p2222", "-i key -o Port=2222", "-vvA", "-o -f", "-J -N -4",
        "-tt -F config",
    ])
    func `options with which ssh runs the command and waits for it: taken`(text: String) {
        #expect(SSHOptions.mistake(in: words(text)) == nil)
    }

    @Test(arguments: [
        ("-f", "-f"), ("-p 2222 -N", "-N"), ("-vV", "-V"), ("-Af", "-f"), ("-W host:1", "-W"),
        ("--title T", "--title"), ("-v make", "make"), ("-v -p", "no value"),
        ("-o SessionType=none", "SessionType"), ("-o forkafterauthentication=yes", "fork"),
    ])
    func `others: named in the sentence`(text: String, named: String) {
        #expect(SSHOptions.mistake(in: words(text))?.contains(named) == true)
    }

    private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
