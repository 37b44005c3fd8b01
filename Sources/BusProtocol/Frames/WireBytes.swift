import Essentials

// The generated code keeps `bytes` fields as `Data`. The properties below give arrays, so that no
// user of the protocol needs Foundation.

extension WireReport {
    package var credentialBytes: [UInt8] {
        get { [UInt8](credential) }
        set { credential = Data(newValue) }
    }
}

extension WireClientFrame {
    package init(credential: [UInt8], _ body: OneOf_Body) {
        self.init()
        credentialBytes = credential
        self.body = body
    }

    package var credentialBytes: [UInt8] {
        get { [UInt8](credential) }
        set { credential = Data(newValue) }
    }
}

extension WireFleetSession {
    package var frameBytes: [UInt8] {
        get { [UInt8](frame) }
        set { frame = Data(newValue) }
    }
}

extension WireDetachedRequest {
    package var requestIDBytes: [UInt8] {
        get { [UInt8](requestID) }
        set { requestID = Data(newValue) }
    }
}

extension WireDetachedAnswer {
    package var requestIDBytes: [UInt8] {
        get { [UInt8](requestID) }
        set { requestID = Data(newValue) }
    }
}

extension WireSnapshotRequest {
    package var cursorBytes: [UInt8] {
        get { [UInt8](cursor) }
        set { cursor = Data(newValue) }
    }
}

extension WireSnapshotChunk {
    package var cursorBytes: [UInt8] {
        get { [UInt8](cursor) }
        set { cursor = Data(newValue) }
    }

    /// One byte a cell.
    package var stateBytes: [UInt8] {
        get { [UInt8](states) }
        set { states = Data(newValue) }
    }
}

extension WireUpdate {
    /// One byte a cell.
    package var stateBytes: [UInt8] {
        get { [UInt8](states) }
        set { states = Data(newValue) }
    }
}
