internal import Primitives

extension RowSealer {
    /// The chain of a device, which has to be the writing that belongs to the index of its row.
    func chain(of device: DeviceRecord, sealed: SealedValue) throws -> DeviceChain {
        try DeviceChain(
            decoding: open(sealed, .deviceChain, row: device.id, revision: Int64(clamping: device.chainIndex)))
    }
}
