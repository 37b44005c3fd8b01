/// All adapters.
enum AdapterCatalog {
    static let all: [any OutputAdapter.Type] = bySight + onlyByName + generic

    /// Those that know their program's lines without its name.
    ///
    /// The first that does takes over, so those with the most telling lines come first.
    static let bySight: [any OutputAdapter.Type] = [
        GitAdapter.self, CurlAdapter.self, WgetAdapter.self, RsyncAdapter.self,
        TqdmAdapter.self, PipAdapter.self, RichAdapter.self, FFmpegAdapter.self, AptAdapter.self,
        PVAdapter.self, DDAdapter.self, XZAdapter.self, ZstdAdapter.self,
        MakeAdapter.self, NinjaAdapter.self,
    ]

    static let onlyByName: [any OutputAdapter.Type] = [SwiftAdapter.self]

    /// Those that would find something in anything.
    static let generic: [any OutputAdapter.Type] = [PercentAdapter.self, CountAdapter.self]
}

extension TerminalRequirement {
    /// Of the program itself: what runs another one may ask for a password there first.
    package init(of command: CommandWords) {
        self = PVAdapter.recognizes(command) ? PVAdapter.need(of: command) : .nothing
    }
}
