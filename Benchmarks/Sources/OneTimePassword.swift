import Benchmark
import OneTimePassword

func oneTimePasswordBenchmarks() {
    Benchmark("HOTP-SHA1-prepared") { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: Array("12345678901234567890".utf8)))
        benchmark.startMeasurement()
        for counter in benchmark.scaledIterations { blackHole(hotp.code(counter: UInt64(counter))) }
    }
}
