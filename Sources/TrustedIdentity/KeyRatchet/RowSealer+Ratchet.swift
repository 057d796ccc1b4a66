internal import Primitives

extension RowSealer {
    /// The ratchet of a device, which has to be the writing that belongs to the index of its row.
    func ratchet(of device: DeviceRecord, sealed: SealedValue) throws -> DeviceRatchet {
        try DeviceRatchet(
            decoding: open(sealed, .deviceRatchet, row: device.id, revision: Int64(clamping: device.ratchetIndex)))
    }
}
