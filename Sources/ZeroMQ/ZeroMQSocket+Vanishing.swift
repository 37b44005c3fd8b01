extension ZeroMQSocket {
    /// Has tcp connections end within seconds when the machine at the other end vanishes, which closes
    /// none; before the socket connects or binds.
    ///
    /// Not by the pings of ZMTP: libzmq 4.3.4 ends the process (`!_io_error`) where one is due on a
    /// connection that has broken while nobody took what had come over it.
    package func noticeVanishedPeers() throws(ZeroMQError) {
        try set(.keepAlive, to: 1)
        try set(.keepAliveIdle, to: 1)
        try set(.keepAliveInterval, to: 1)
        try set(.keepAliveCount, to: 3)
        try set(.maximumRetransmission, to: 5_000)
    }
}
