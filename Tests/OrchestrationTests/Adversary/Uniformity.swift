/// Whether samples of 32 bytes look as if they were drawn from a hat.
///
/// The thresholds lie six standard deviations from the mean and are fixed, as the samples are: the test is the same in
/// every run. A bias of one bit in a hundred, or one byte that is the same in all samples, is far outside.
struct Uniformity {
    let chiSquare: Double
    let worstBit: Int
    let distinct: Int
    let count: Int

    init(_ samples: [[UInt8]]) {
        count = samples.count
        distinct = Set(samples).count
        var values = [Int](repeating: 0, count: 256)
        var bits = [Int](repeating: 0, count: 256)
        for sample in samples {
            for (place, byte) in sample.enumerated() {
                values[Int(byte)] += 1
                for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 { bits[place * 8 + bit] += 1 }
            }
        }
        let expected = Double(samples.reduce(0) { $0 + $1.count }) / 256
        chiSquare = values.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        worstBit = bits.map { abs($0 - samples.count / 2) }.max() ?? 0
    }

    /// 255 degrees of freedom: mean 255, deviation 22.6.
    var hasFlatBytes: Bool { (119.0...391.0).contains(chiSquare) }

    /// Each bit is set in half of the samples: a deviation of √n / 2.
    var hasFlatBits: Bool { worstBit * worstBit <= 9 * count }

    var isUniform: Bool { hasFlatBytes && hasFlatBits && distinct == count }
}
