#if PostgreSQL
    import Testing
    import TrustedIdentity
    import TrustedIdentityPostgreSQL

    /// The rules of an address, which need no server.
    @Suite struct PostgreSQLAddressTests {
        /// Without these, a connection beyond the machine could be made without a verified name, or a password shown.
        @Test(arguments: [
            "postgres://db.example/identity?sslmode=disable",
            "postgres://db.example/identity?sslmode=require",
            "postgres://db.example/identity?sslmode=verify-ca",
            "postgres://db.example/identity?sslmode=disable&hostaddr=",
            "postgres://db.example/identity?sslmode=disable&hostaddr=192.0.2.1",
            "postgres://localhost/identity?sslmode=disable&hostaddr=192.0.2.1",
            "postgres://localhost,db.example/identity?sslmode=disable",
            "postgres://localhost,db.example/identity?sslmode=disable&hostaddr=127.0.0.1,",
            "postgres://127.0.0.+1/identity?sslmode=disable",
            "postgres:///identity?host=db.example&sslmode=disable",
            "postgres:///identity?service=other&sslmode=disable",
            "postgres://role:secret@localhost/identity",
            "postgres://localhost/identity?password=secret",
            "postgres://db.example/identity?sslpassword=secret",
            "host=localhost dbname=identity",
            "postgres://localhost/identity?unknown=1",
            "",
        ])
        func `an address that could be read, or that lowers TLS, is refused without its text`(uri: String) {
            do throws(DatabaseError) {
                _ = try PostgreSQLAddress(uri)
                Issue.record("the address is taken")
            } catch {
                #expect(error.code == .address)
                #expect(!error.message.contains("secret") && !error.message.contains("db.example"))
            }
        }

        @Test(arguments: [
            "postgres://role@db.example/identity", "postgresql://db.example:5433/identity?sslmode=verify-full",
            "postgres://127.0.0.1/identity?sslmode=disable", "postgres://[::1]/identity?sslmode=disable",
            "postgres:///identity?host=/run/postgresql&sslmode=disable", "postgres://localhost/identity",
        ])
        func `an address of this machine, or one that verifies the name, is taken`(uri: String) throws {
            let address = try PostgreSQLAddress(uri, password: "secret")
            #expect(address.description.hasSuffix("database identity"))
            #expect(!address.description.contains("role") && !address.description.contains("secret"))
        }
    }
#endif
