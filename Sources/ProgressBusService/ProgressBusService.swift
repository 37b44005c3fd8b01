public import ProgressBus
public import ServiceLifecycle

/// A service that closes a client of the progress bus after the other services have ended.
///
/// Put it first into the `ServiceGroup`, so that it is shut down last, after all endings are
/// reported. A client reports without this service too. Then the end of the process waits only
/// while the broker acknowledges something every 100 ms, 10 s at most.
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
        // In a Swift task of its own: a cancelled one would not wait.
        _ = await Task { [client, closeTimeout] in await client.close(timeout: closeTimeout) }.value
    }
}
