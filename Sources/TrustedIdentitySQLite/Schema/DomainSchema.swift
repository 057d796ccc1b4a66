/// The twenty-second step: the domains whose accounts an API key may name. Earlier keys may name those of all domains.
enum DomainSchema {
    static let statements = [
        """
        ALTER TABLE api_key ADD COLUMN domains TEXT NOT NULL DEFAULT '' CHECK (length(domains) <= 2080)
        """
    ]
}
