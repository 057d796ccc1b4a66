import Testing

#if !PostgreSQL
    @Suite struct PostgreSQLTraitTests {
        @Test(.disabled("built without the trait PostgreSQL: swift test --traits PostgreSQL")) func isSkipped() {}
    }
#endif
