import BusProtocol

/// What a machine says of its bus when ssh has reached it.
struct RemoteAnswer: Hashable, Sendable {
    /// Where the sockets of its broker are.
    var directory: String
    /// Whether one listens, as far as can be told: without progressbus there, whether there is a
    /// control socket, which a broker that was killed leaves too.
    var hasBroker: Bool
    /// Whether progressbus is found there.
    var hasProgram: Bool

    /// First on the line, which logins may surround by lines of their own.
    private static let mark = "progressbus-bus"

    /// What the login shell there is given to run.
    ///
    /// It answers with one line, and ends when this process has ended, however it does: then `cat`
    /// reads the end of its input. `status` says with 69 that no broker listens; where one has left a
    /// journal, it starts one again. The directory is one that `RemoteBus` has checked; without one it
    /// is found as progressbus does.
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

    /// Reads the line; `nil` for any other, throws where it names a directory that cannot be
    /// forwarded.
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
