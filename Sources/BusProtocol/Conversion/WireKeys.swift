#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The public keys of messages about access; nil where the bytes are none.

extension WireJoin {
    package var publicKey: BusKey? {
        get { BusKey(key) }
        set { key = Data(newValue?.bytes ?? []) }
    }
}

extension WireRenew {
    package var publicKey: BusKey? {
        get { BusKey(key) }
        set { key = Data(newValue?.bytes ?? []) }
    }
}

extension WireRenewBroker {
    package var publicKey: BusKey? {
        get { BusKey(take) }
        set { take = Data(newValue?.bytes ?? []) }
    }
}

extension WireBrokerFrame {
    /// The key that the broker will have next.
    package var nextPublicKey: BusKey? {
        get { BusKey(nextKey) }
        set { nextKey = Data(newValue?.bytes ?? []) }
    }
}

extension WireInvite {
    package var publicKey: BusKey? {
        get { BusKey(key) }
        set { key = Data(newValue?.bytes ?? []) }
    }
}

extension WireMember {
    package var publicKey: BusKey? {
        get { BusKey(key) }
        set { key = Data(newValue?.bytes ?? []) }
    }
}
