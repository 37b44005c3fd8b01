import BusProtocol

/// The answer of another machine, reached by ssh, about its bus.
struct RemoteAnswer: Hashable, Sendable {
    /// Where the sockets of its broker are.
    var directory: String
    /// Whether a broker listens there, as far as can be told.
    ///
    /// Without progressbus on that machine it says only that a control socket exists, which a
    /// killed broker leaves behind too.
    var hasBroker: Bool
    /// Whether progressbus is found there.
    var hasProgram: Bool

    /// The first word of the answer; a login may print other lines around it.
    private static let mark = "progressbus-bus"

    /// The command for the login shell of the other machine.
    ///
    /// It prints one line, and ends when this process ends for whatever reason, because `cat` then
    /// reads the end of its input. When `status` exits with 69, no broker listens; where a broker
    /// has left a journal, `status` starts one again. `RemoteBus` has checked the directory;
    /// without one the command finds it as progressbus does.
    static func question(directory: String?) -> String {
        "exec sh -c '\(script)' sh '\(directory ?? "")'"
    }

    private static let script = """
        d=$1; \
        if [ -z "$d" ]; then case $PROGRESSBUS_ENDPOINT in \
        ipc://*) d=${PROGRESSBUS_ENDPOINT#ipc://} ;; \
        *) t=$(getconf DARWIN_USER_TEMP_DIR 2>/dev/null) || t=/tmp/; d=${t}progressbus-$(id -u) ;; \
        esac; fi; \
        p=no; command -v progressbus >/dev/null 2>&1 && p=yes; \
        b=no; [ $p = no ] || \
        progressbus status --depth 0 --timeout 2 --endpoint "ipc://$d" >/dev/null 2>&1 </dev/null; \
        [ $? = 69 ] || [ ! -S "$d/control" ] || b=yes; \
        echo "\(mark) $b $p $d"; exec cat
        """

    /// Parses a line; `nil` if it is not the answer, throws if ssh cannot forward its directory.
    init?(line: String) throws(FollowError) {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[0] == Self.mark else { return nil }
        guard let directory = RemoteBus.checked(directory: String(words[3])) else {
            throw FollowError(
                .badEndpoint,
                "the bus there is in \(words[3]), which ssh cannot forward; name another directory "
                    + "there in PROGRESSBUS_ENDPOINT"
            )
        }
        self.directory = directory
        hasBroker = words[1] == "yes"
        hasProgram = words[2] == "yes"
    }
}
