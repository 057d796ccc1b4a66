import Benchmark
import OneTimePassword

func oneTimePasswordBenchmarks() {
    Benchmark("otp-sha1-prepared-throughput", configuration: .hotPath) { benchmark in
        let hotp = try HOTP(key: OneTimePasswordKey(copying: Array("12345678901234567890".utf8)))
        benchmark.measure {
            for counter in benchmark.scaledIterations { blackHole(hotp.code(counter: UInt64(counter))) }
        }
    }
}
