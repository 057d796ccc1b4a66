#if PostgreSQL
    import Foundation
    import TestSupport

    /// A certificate authority and the certificates of servers, which OpenSSL makes.
    struct Certificates {
        private let folder: TemporaryFolder

        /// The path of the certificate of the authority.
        var authority: String { folder.file("ca.pem") }

        init() throws {
            folder = try TemporaryFolder()
            try run(
                ["req", "-x509"] + Self.key + ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca", "-days", "2"])
        }

        /// Makes the certificate of a server and starts the server with it.
        ///
        /// - Parameters:
        ///   - name: The subject alternative name, as in `IP:127.0.0.1`.
        ///   - days: The days for which it is valid; one that has expired for -1.
        func install(_ name: String, days: Int = 2, on cluster: PostgreSQLCluster) throws {
            try run(
                ["req"] + Self.key + [
                    "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server", "-addext",
                    "subjectAltName=\(name)",
                ])
            try run([
                "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-copy_extensions", "copy", "-days", "\(days)", "-out", "server.pem",
            ])
            for file in ["server.key", "server.pem"] {
                try cluster.write("data/\(file)", String(decoding: folder.bytes(file), as: UTF8.self))
            }
            for setting in ["ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'"] {
                try cluster.query("ALTER SYSTEM SET \(setting)")
            }
            try cluster.restart()
        }

        private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

        private func run(_ arguments: [String]) throws {
            // OpenSSL names its files from the present folder.
            let paths = arguments.map { argument in
                [".pem", ".key", ".csr"].contains { argument.hasSuffix($0) } ? folder.file(argument) : argument
            }
            guard try ChildProcess.run(["/usr/bin/openssl"] + paths, output: folder.file("output")) == 0 else {
                throw PostgreSQLCluster.Failure(
                    description: String(decoding: try folder.bytes("output"), as: UTF8.self))
            }
        }
    }
#endif
