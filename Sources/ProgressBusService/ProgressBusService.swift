public import ProgressBus
public import ServiceLifecycle

/// A client of the progress bus as a service: it closes when the other services have.
///
/// Put it first into the `ServiceGroup`, so that it is shut down last and hears all endings. It needs
/// no service of its own to report; without it, the end of the process waits only 100 ms for what
/// was not acknowledged.
public struct ProgressBusService: Service {
    private let client: BusClient
    private let closeTimeout: Duration

    /// Makes a service of a client.
    ///
    /// - Parameters:
    ///   - client: The client that the program reports with.
    ///   - closeTimeout: How long to wait for acknowledgements at shutdown.
    public init(_ client: BusClient, closeTimeout: Duration = .seconds(5)) {
        self.client = client
        self.closeTimeout = closeTimeout
    }

    /// Waits for the graceful shutdown or a cancellation, then closes the client.
    ///
    /// Endings that stayed without an acknowledgement are no error: progress is advice.
    public func run() async throws {
        try? await gracefulShutdown()
        // In a Swift task of its own, as the wait would end with a cancelled one.
        _ = await Task { [client, closeTimeout] in await client.close(timeout: closeTimeout) }.value
    }
}
