import Essentials

/// The file of a bus that this user is a member of: `buses/NAME` in the directory of
/// ``UserConfiguration``.
///
/// The file holds a secret key. It must be this user's and closed to everybody else, and a symbolic
/// link is never followed.
package struct NamedBus: Hashable, Sendable {
    package let name: String
    package let path: String

    /// The most bytes that a file may have.
    private static let fileBytes = 16_384

    /// Whether a text can be a name: at most 64 letters, digits and `._-`, the first a letter or a
    /// digit.
    package static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 64 && text.utf8.first?.isLetterOrDigit == true
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }

    package init(_ name: String, environment: [String: String]) {
        self.name = name
        path = Self.directory(environment: environment) + "/" + name
    }

    /// The names of all buses that this user is a member of.
    package static func all(environment: [String: String]) -> [String] {
        let directory = directory(environment: environment)
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory)
        return (files ?? []).filter { isName($0) }.sorted()
    }

    /// Reads the file.
    package func read() throws(EndpointError) -> Membership {
        let bytes: [UInt8]
        do {
            bytes = try file.read(limit: Self.fileBytes)
        } catch .missing {
            throw EndpointError(
                .missing,
                "There is no bus \(name) here: write ipc:///directory or tcp://host:port, or become "
                    + "a member of \(name) with `progressbus join`."
            )
        } catch .unsafe(let why) {
            throw EndpointError(
                .open,
                "\(path) cannot be used: \(why). If somebody may have read it, have an admin revoke "
                    + "your key, and join anew."
            )
        } catch {
            throw unusable("\(error)")
        }
        guard
            let membership = Membership(file: self, parsing: String(decoding: bytes, as: UTF8.self))
        else { throw unusable("its text is not what `progressbus join` writes: join anew") }
        return membership
    }

    /// Fails where `write` would fail; to be called before the broker gets a key that must be kept.
    package func prepare() throws(EndpointError) {
        do {
            try file.prepare()
        } catch {
            throw unusable("\(error)")
        }
    }

    /// Writes the file, whole or not at all; the directory is made if it is not there.
    package func write(_ membership: Membership) throws(EndpointError) {
        do {
            try file.write(Array(membership.text.utf8))
        } catch {
            throw unusable("\(error)")
        }
    }

    /// Changes what the file says, while no other process changes it.
    package func change(_ change: (inout Membership) -> Void) throws(EndpointError) {
        do {
            try file.change(limit: Self.fileBytes) { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                guard let former = Membership(file: self, parsing: text) else { return nil }
                var membership = former
                change(&membership)
                return membership == former ? nil : Array(membership.text.utf8)
            }
        } catch {
            throw unusable("\(error)")
        }
    }

    private var file: PrivateFile { PrivateFile(path) }

    private static func directory(environment: [String: String]) -> String {
        UserConfiguration.path("buses", environment: environment)
    }

    private func unusable(_ why: String) -> EndpointError {
        EndpointError(.system, "\(path) cannot be used: \(why).")
    }
}
