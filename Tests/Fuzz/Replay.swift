#if !FUZZING
    import Foundation

    /// Replays seeds without the fuzzer: each decoder decodes the seeds in the folder with its name.
    ///
    /// `fuzz CORPUS` replays them, and fails when a decoder has no seed that it accepts. `fuzz CORPUS INPUTS` also
    /// writes them to a folder as the fuzzer wants them: in one place, each behind the byte that names its decoder.
    @main
    struct Replay {
        private var seeds = 0
        private var accepted = 0
        private var waiting = Set(FuzzedDecoder.all.map(\.name))

        static func main() throws {
            let folders = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
            guard let corpus = folders.first, folders.count <= 2 else { fail("usage: fuzz CORPUS [INPUTS]") }
            var replay = Replay()
            for folder in try contents(of: corpus) { try replay.replay(folder, to: folders.dropFirst().first) }
            guard replay.waiting.isEmpty else {
                fail("no seed is accepted by \(replay.waiting.sorted().joined(separator: ", "))")
            }
            print("\(FuzzedDecoder.all.count) decoders, \(replay.seeds) seeds, \(replay.accepted) accepted")
        }

        private mutating func replay(_ folder: URL, to inputs: URL?) throws {
            let name = folder.lastPathComponent
            guard let place = FuzzedDecoder.all.firstIndex(where: { $0.name == name }) else {
                Self.fail("no decoder has the name \(name)")
            }
            for seed in try Self.contents(of: folder) {
                let bytes = [UInt8](try Data(contentsOf: seed))
                seeds += 1
                if FuzzedDecoder.all[place].decode(bytes) {
                    accepted += 1
                    waiting.remove(name)
                }
                guard let inputs else { continue }
                let input = inputs.appending(path: "\(name)-\(seed.lastPathComponent)")
                try Data([UInt8(place)] + bytes).write(to: input)
            }
        }

        private static func contents(of folder: URL) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }

        private static func fail(_ words: String) -> Never {
            FileHandle.standardError.write(Data("fuzz: \(words)\n".utf8))
            exit(1)
        }
    }
#endif
