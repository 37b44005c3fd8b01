import Essentials

/// The directory of a user's files for ProgressBus: `progressbus` in `$XDG_CONFIG_HOME` or
/// `~/.config`, on macOS too.
package enum UserConfiguration {
    /// The path of a file or a directory there; it need not exist.
    package static func path(_ name: String, environment: [String: String]) -> String {
        // The XDG base directory specification: a relative path is to be ignored.
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            return base + "/progressbus/" + name
        }
        let home = environment["HOME"] ?? ""
        let base = home.hasPrefix("/") ? home : FileManager.default.homeDirectoryForCurrentUser.path
        return base + "/.config/progressbus/" + name
    }
}
