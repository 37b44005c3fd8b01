import BusProtocol
import Dashboard
import DashboardCore
import ProgressBus

/// The dashboard as `watch` and `demo` open it.
struct WatchDashboard {
    /// The name of the bus for people.
    var bus: String
    /// How the dashboard looks, by options and environment.
    var look: DashboardEnvironment
    /// Why the dashboard is read-only; `nil` if it is not.
    var readOnly: String?
    /// The job that the dashboard opens at once.
    var job: String?

    /// Shows the dashboard until somebody leaves it.
    ///
    /// - Throws: `CommandFailure` if the theme cannot be used, `DashboardError` if the terminal
    ///   cannot, `FollowError` if the bus cannot be followed.
    func run(
        _ follower: BusFollower,
        handle: DashboardHandle = DashboardHandle()
    ) async throws -> DashboardLeaving {
        let options = try options()
        do {
            return try await DashboardProgram.run(
                follower: follower,
                options: options,
                handle: handle
            )
        } catch DashboardError.following(let error) {
            throw error
        }
    }

    /// - Throws: `CommandFailure` if the theme file cannot be read or has a mistake.
    func options() throws(CommandFailure) -> DashboardOptions {
        var options: DashboardOptions
        let theme = try themeText()
        do throws(ThemeError) {
            options = try look.options(themeText: theme)
        } catch {
            throw CommandFailure(.usage, "\(look.themeFile ?? "the theme"): \(error)")
        }
        options.endpoint = bus
        let standard = try? BusEndpoint.resolve(explicit: nil, environment: [:]).endpoint
        options.isDefaultBus = bus == standard?.description
        options.readOnly = readOnly
        options.opens = job
        options.secondsFromUTC = LocalTime.secondsFromUTC
        return options
    }

    /// The most bytes of a theme file that are read.
    private static let longestTheme = 1 << 20

    private func themeText() throws(CommandFailure) -> String? {
        guard let path = look.themeFile else { return nil }
        do throws(OpenFile.Failure) {
            let bytes = try OpenFile(reading: path).read(upTo: Self.longestTheme)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw CommandFailure(
                .usage,
                "the theme file \(path) cannot be read (\(error)); name another"
            )
        }
    }
}
