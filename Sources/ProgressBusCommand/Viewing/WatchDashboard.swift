import BusProtocol
import Dashboard
import DashboardCore
import ProgressBus

/// The dashboard as `watch` and `demo` open it.
struct WatchDashboard {
    /// The bus, as people name it.
    var bus: String
    /// What arguments and environment say of its looks.
    var look: DashboardEnvironment
    /// Why it offers nothing that changes the work; `nil`: it does.
    var readOnly: String?
    /// The job that is opened at once.
    var job: String?

    /// Shows it until somebody leaves it.
    ///
    /// - Throws: A failure in words where the theme cannot be used, `DashboardError` where the
    ///   terminal cannot, `FollowError` where the bus cannot be followed.
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

    /// - Throws: A failure in words where the theme file cannot be read or says something wrong.
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

    /// A theme is a page of text; what is longer is another file.
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
