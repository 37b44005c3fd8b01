#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A message about access that holds the public key of a member or of the broker.
package protocol KeyedMessage {
    var key: Data { get set }
}

extension WireJoin: KeyedMessage {}
extension WireRenew: KeyedMessage {}
extension WireInvite: KeyedMessage {}
extension WireMember: KeyedMessage {}

extension KeyedMessage {
    /// The key; nil where the bytes are none.
    package var publicKey: BusKey? {
        get { BusKey(key) }
        set { key = Data(newValue?.bytes ?? []) }
    }
}

extension WireRenewBroker {
    /// The key to take; nil where the bytes are none.
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
