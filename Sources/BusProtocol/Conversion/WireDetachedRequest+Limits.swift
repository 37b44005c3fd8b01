extension WireDetachedRequest.OneOf_Operation {
    /// The operation with its texts cut to the broker's limits; names stay as they are.
    package var limited: Self {
        switch self {
        case .begin(var begin):
            begin.title = begin.title.limited(toUTF8: ProtocolLimits.titleBytes)
            begin.detail = begin.detail.limited(toUTF8: ProtocolLimits.detailBytes)
            return .begin(begin)
        case .update(var update):
            if update.hasTitle {
                update.title = update.title.limited(toUTF8: ProtocolLimits.titleBytes)
            }
            if update.hasDetail {
                update.detail = update.detail.limited(toUTF8: ProtocolLimits.detailBytes)
            }
            return .update(update)
        case .end(var end):
            end.reason = end.reason.limited(toUTF8: ProtocolLimits.reasonBytes)
            return .end(end)
        case .advance: return self
        }
    }
}
