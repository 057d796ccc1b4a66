-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The key is public, and for this test only:
-- master.key 6c4a532ce2c71064:10a26c2b2dc1156b6d1e18a44df4948a59dddeb0d18c9eb1076f123a6e155ae6
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE platform_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    tenant TEXT NOT NULL CHECK (length(tenant) BETWEEN 1 AND 64),
    created_at INTEGER NOT NULL,
    restored_at INTEGER,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    restored_sequence INTEGER NOT NULL CHECK (restored_sequence >= 0),
    suspended_below INTEGER NOT NULL CHECK (suspended_below >= 0),
    suspended_below_before INTEGER NOT NULL CHECK (suspended_below_before >= 0),
    master_key_id TEXT NOT NULL CHECK (length(master_key_id) BETWEEN 1 AND 32),
    data_keys BLOB NOT NULL,
    audit_size INTEGER NOT NULL CHECK (audit_size >= 0),
    audit_pruned_size INTEGER CHECK (audit_pruned_size IS NULL OR audit_pruned_size >= 1),
    audit_pruned_peaks BLOB CHECK (audit_pruned_peaks IS NULL OR length(audit_pruned_peaks) % 32 = 0),
    audit_pruned_has_rows INTEGER,
    revoked_count INTEGER NOT NULL,
    revoked_sum BLOB NOT NULL CHECK (length(revoked_sum) = 32),
    policy_hash BLOB CHECK (policy_hash IS NULL OR length(policy_hash) = 32),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT;
INSERT INTO platform_state VALUES(1,'default',1795899673992,NULL,0,0,0,0,'6c4a532ce2c71064',X'010000000000000000adf4238fa13dda69eefe51e0e93f3066b225c5951153e5542155d8e09b36f3ef333e387c1802a17e12da98721eb19dfd80ae1e8b4c98a6f723a144d9ec104ec9d1b211a4c383b6434a4e128c997334ca4d155a6352f4f0592dc2705cd0e781fd16381ff616fdd7bb0dbac1d33b5bc309a612835f497b25d7cd87c4d7afbb77e23e2c68bafe9b7e3ca0f243de585a8b933067db96378fbe8834eba2c834d8205ae764bcb32af71df4f04b618bc6c90b5c5b3f5b165f84507713333f67b62a18842753d85da6342dfd7062de374b7b21857b0621cb3232a59c6f0d77a9',0,NULL,NULL,NULL,0,X'0000000000000000000000000000000000000000000000000000000000000000',NULL,0,X'1eb6fb0f5785a942845900d084ecd604bafdd34c0db068edf1b0cdce97151686');
CREATE TABLE platform_key (
    id BLOB NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('signing', 'sealing', 'audit')),
    algorithm INTEGER NOT NULL,
    public_key BLOB NOT NULL,
    private_key BLOB,
    created_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    retired_at INTEGER CHECK (retired_at >= not_before),
    not_after INTEGER CHECK (not_after >= retired_at),
    replaced_in INTEGER CHECK (replaced_in >= 1),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT, WITHOUT ROWID;
INSERT INTO platform_key VALUES(X'5790462d849e1c43','audit',-19,X'def74fd46e7681fe47f230791cd6a23d3973574d11418107923cbe6afa7d88a8',X'010000000000000000f8c50b0eb8c5f7b8f0ac62a49728a37eb62e0275fae4f060c4a78020fda5a11ce8392049b56b4b0abf8255217f32c7db73cc2a5f77a2c6a9bbd0dfa6',1795899674001,0,NULL,NULL,NULL,0,X'7cb006b35728098467b9db19c80b68faf4c635bb3cdcae6179c18849352ae15a');
INSERT INTO platform_key VALUES(X'5eabbcef8847e410','sealing',2,X'13776743544e9cdc5b3aaaaa4bc540f8e02a3151574ed9397ee331ec5689d05a162c6b46b6bb6cecba96a723744bea03d48c426dc31560d60f7789bd7943b2d1460fb695a098a29036fa919a794fd670543938334c56211613140fc133ae5972af3ab23e1937561cc1e5606ce951c217f1b5a4e6593a66901fb0a5d9e5c5946a224236b65ce05afaf09c98d39b0e76885c969a30b1c0381803ffd5b038e98dbfb67c9ac181cc29c4952634eee2345185153c549c143049203426e674add2f388ae95ac86209de98b1b951447d6ea7030b281ced26bd049aba4383d6d2ca1b76565392c54d830a800056652b5bf53a02eaecca15c8936a8256beeb672100006dbac6fefb18239869774073b7c2143cd321b947bc0b5a9976916951e40acd4dcc6026b0a350a5f8df925a143a43f4596ef6109ba1b63bf7ba0d6a0155846aeef7c99dba20d95c86a51850110e12373958943d57967b51af0f752a6046115fc1259196ec9b7cbf127b1bbc4114c35c88caa93ba7722dfda9eb7a69d3f1b6d13e85a285a6cfd07bd0e94766b89af231632ad89293f073568c626fc376b85738bdcf96acd831ae9a40085a45eaa145904cb10177a6412228b6b7ac700ad4cb1931b9497923fe657c1f9bfefaab8a541304728c966d959853b84717b62e26708e4168143e7b00b68ae28c72a32aa8310d0ac9b394f8dd091af6574a90c41ce912512895812b2513595addbb7c71b020ce5160fcc4a3166f80e8b79a2d63ccde426ae4539ae8eab25d8966cc172178a897cf28c1436d413f4b998934913b243bf1b13ca2b1a982f47b50d7748d43111ef8ab9f4dac3f569623006a50078828caa9aa90a8c5ca86f52e27a193444416198a06a1d3037628d8b1d502464b4e238bc986f575240dc80391f0c7ca243cf54a4b1f2d35b97900289ac76b6eb6c8e8601332c6db81256222020426ca6eabc2173bb7f2a90c9cba9241fd475bb66131e02199316206369af3243aeebd2b1cd0994b1f9031fb5a05b1ca1df539b5e983bc6886f2cb5306dbaaf4f0b5e3e49b066399d2bc9a6e27ca5a8025574bb90ca640304ab042b96987e511943a60eb1d620cf176409224f724866b5c16d82ec8317f158e092666d755938888637f215285239f14b86878037db9c72ee36aebca14db5a2b5717727514284b607336fa92d5c291dbf46b960f78aa41b83424809f016cd6884c183226a99c4cb0e4102144c90e177218929658a27c871453c0dcbbf2170ca095972caface7c0ca2ed279f6ea19b2aa0b4ae261149590c4939a9eb9bafddc4cd3aa10d65304e97bac437b29cc4999f50c7a8ea10a6737b81945a692f2572e1413365791c599aa49e945dd3581d9a73c411a4cb68b2a14b28bf61a7cf1bc609e40030c12a714c129c343caea8979c7206bc502c57cd908882f33b45690f37f2cb88b4865f196492a024f029a52da16500e16694a8907bb347f971749182b2692934d48a1d52306d125b8dc279c5b7ab3c984255dd2430c0b152ffd5cf494a3716eb792d6032dfb892c09b90e7c191b153bc4e51a998c030e3372d829b144410b947f61530b2c05b712c169cc81f858a02c27606d23e82e66a1d6a3f6d58bce3a5ab2ed30eb75d6a90eb676c9cfb7658f226ed70de21eb3a61ccbe51b073041d61044b46d8db698baf7c2133be961ad05dfbedfc6afa740a2faa9a2a1cf02233f87a',X'010000000000000000460b723d662ef64f649ba9b02a6005090dcc81127744a5842ab5b96e64f0f2a00999c92b247f4d8889f209ab54258e09f60199094ef27202da0e7fbf',1795899674001,0,NULL,NULL,NULL,0,X'3f23d360cd1f29f68690c39c65462dc60296d4e0faa5c1f09d1311f8c38bc3c0');
INSERT INTO platform_key VALUES(X'8a4cfc447cf36d7a','signing',-19,X'aa41fcacb10159b1cb2ad5f8b5fe26272863ae939e335d1d68fec99019c116b9',X'010000000000000000e2de427ba06c353c97334f8b16deec0ff49d2fb546c8525de1ca185addac9f9fbdd2ba86479ea4c19ca1259b715045f82b9f26eb7e6cf5dfb8a477de',1795899674001,0,NULL,NULL,NULL,0,X'7db417f766277d71f9f38c7458439a67606c665fdbd4ebe69ce2ec9eec568ca6');
INSERT INTO platform_key VALUES(X'a57466cd6c6c0578','sealing',1,X'29a7d5d3237e16193cd892c24f8a6cd5532f82fde2e36a96f8c747c6fa8c546c',X'0100000000000000004ee908f8b0c3074de36337943fca8097d0f331374976eae7cd7834dbc4ce632c3bfa90c895e35f6156caa3264492ef4b22a75b15a606d3afa9ff6a54',1795899674001,0,NULL,NULL,NULL,0,X'b4e8ebe221dcb4743b1404b4c2ec86033e555305b95f7135e8225d83deb20281');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da2013204488a4cfc447cf36d7aa059056f8501f61b000001a223f64d918486485790462d849e1c4302325820def74fd46e7681fe47f230791cd6a23d3973574d11418107923cbe6afa7d88a800f686485eabbcef8847e41001025904c013776743544e9cdc5b3aaaaa4bc540f8e02a3151574ed9397ee331ec5689d05a162c6b46b6bb6cecba96a723744bea03d48c426dc31560d60f7789bd7943b2d1460fb695a098a29036fa919a794fd670543938334c56211613140fc133ae5972af3ab23e1937561cc1e5606ce951c217f1b5a4e6593a66901fb0a5d9e5c5946a224236b65ce05afaf09c98d39b0e76885c969a30b1c0381803ffd5b038e98dbfb67c9ac181cc29c4952634eee2345185153c549c143049203426e674add2f388ae95ac86209de98b1b951447d6ea7030b281ced26bd049aba4383d6d2ca1b76565392c54d830a800056652b5bf53a02eaecca15c8936a8256beeb672100006dbac6fefb18239869774073b7c2143cd321b947bc0b5a9976916951e40acd4dcc6026b0a350a5f8df925a143a43f4596ef6109ba1b63bf7ba0d6a0155846aeef7c99dba20d95c86a51850110e12373958943d57967b51af0f752a6046115fc1259196ec9b7cbf127b1bbc4114c35c88caa93ba7722dfda9eb7a69d3f1b6d13e85a285a6cfd07bd0e94766b89af231632ad89293f073568c626fc376b85738bdcf96acd831ae9a40085a45eaa145904cb10177a6412228b6b7ac700ad4cb1931b9497923fe657c1f9bfefaab8a541304728c966d959853b84717b62e26708e4168143e7b00b68ae28c72a32aa8310d0ac9b394f8dd091af6574a90c41ce912512895812b2513595addbb7c71b020ce5160fcc4a3166f80e8b79a2d63ccde426ae4539ae8eab25d8966cc172178a897cf28c1436d413f4b998934913b243bf1b13ca2b1a982f47b50d7748d43111ef8ab9f4dac3f569623006a50078828caa9aa90a8c5ca86f52e27a193444416198a06a1d3037628d8b1d502464b4e238bc986f575240dc80391f0c7ca243cf54a4b1f2d35b97900289ac76b6eb6c8e8601332c6db81256222020426ca6eabc2173bb7f2a90c9cba9241fd475bb66131e02199316206369af3243aeebd2b1cd0994b1f9031fb5a05b1ca1df539b5e983bc6886f2cb5306dbaaf4f0b5e3e49b066399d2bc9a6e27ca5a8025574bb90ca640304ab042b96987e511943a60eb1d620cf176409224f724866b5c16d82ec8317f158e092666d755938888637f215285239f14b86878037db9c72ee36aebca14db5a2b5717727514284b607336fa92d5c291dbf46b960f78aa41b83424809f016cd6884c183226a99c4cb0e4102144c90e177218929658a27c871453c0dcbbf2170ca095972caface7c0ca2ed279f6ea19b2aa0b4ae261149590c4939a9eb9bafddc4cd3aa10d65304e97bac437b29cc4999f50c7a8ea10a6737b81945a692f2572e1413365791c599aa49e945dd3581d9a73c411a4cb68b2a14b28bf61a7cf1bc609e40030c12a714c129c343caea8979c7206bc502c57cd908882f33b45690f37f2cb88b4865f196492a024f029a52da16500e16694a8907bb347f971749182b2692934d48a1d52306d125b8dc279c5b7ab3c984255dd2430c0b152ffd5cf494a3716eb792d6032dfb892c09b90e7c191b153bc4e51a998c030e3372d829b144410b947f61530b2c05b712c169cc81f858a02c27606d23e82e66a1d6a3f6d58bce3a5ab2ed30eb75d6a90eb676c9cfb7658f226ed70de21eb3a61ccbe51b073041d61044b46d8db698baf7c2133be961ad05dfbedfc6afa740a2faa9a2a1cf02233f87a00f686488a4cfc447cf36d7a00325820aa41fcacb10159b1cb2ad5f8b5fe26272863ae939e335d1d68fec99019c116b900f68648a57466cd6c6c05780101582029a7d5d3237e16193cd892c24f8a6cd5532f82fde2e36a96f8c747c6fa8c546c00f6a058404cbb4679aa62be1a3f3e807f75d6a9473ddcbe74f47d475596c85669be52983be10be97af7192ee2f44619b4c9b089cc93a3ffac4e7f1de3720537bf4881ab00',1795899674001);
CREATE TABLE api_key (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('app-server', 'admin', 'helpdesk')),
    secret_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    shows_numbers INTEGER NOT NULL CHECK (shows_numbers IN (0, 1)),
    domains TEXT NOT NULL CHECK (length(domains) <= 2080),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT, WITHOUT ROWID;
INSERT INTO api_key VALUES('cc609b3f22e8902f','Shop','app-server',X'36952b9e68faf03dd15aeb5bf57ff34aed6c4980c2477d7d8f2464ff67af1f00',1795899674516,NULL,0,0,'',0,X'8f16164e25ec30ebe6d205eb7399a00c580d890ee3db2835abcc299410e08b49');
CREATE TABLE account (
    name TEXT NOT NULL PRIMARY KEY CHECK (name LIKE '%_@_%'),
    created_at INTEGER NOT NULL,
    registration_id TEXT NOT NULL,
    activated_at INTEGER,
    finished_at INTEGER,
    static_password BLOB,
    registration_epoch INTEGER NOT NULL CHECK (registration_epoch >= 0),
    static_password_epoch INTEGER NOT NULL CHECK (static_password_epoch >= 0),
    subject BLOB CHECK (subject IS NULL OR length(subject) = 16),
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO account VALUES('alice@master',1795899675449,'2312b0a850e83ece61b36c7936933f4d',NULL,NULL,X'010000000000000001c989b5d84548f0c3cf0cc0f610cbf39491d1aa8dd0e5085084a5196106279bc4f9ad89a145b60457c0fc65e2c42c7c359b443eccff6618db2c5a665af5a7b5dde8a4d00769f52d346f1cb7ec4d65e3ba',0,0,X'd600b464eeba28b2aa008c2414346a2d',0);
CREATE TABLE account_risk (
    account TEXT NOT NULL PRIMARY KEY,
    state BLOB NOT NULL CHECK (length(state) <= 65536),
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
CREATE TABLE account_notice (
    account TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    kind INTEGER NOT NULL CHECK (kind >= 1),
    time INTEGER NOT NULL,
    device BLOB NOT NULL CHECK (length(device) = 16),
    kept_until INTEGER NOT NULL,
    PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE activation_password (
    account TEXT NOT NULL PRIMARY KEY,
    registration_id TEXT NOT NULL,
    serial_number TEXT NOT NULL,
    handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 32767),
    secret BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    tries INTEGER NOT NULL CHECK (tries >= 0),
    spent_at INTEGER,
    moved_device BLOB CHECK (moved_device IS NULL OR length(moved_device) = 16),
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO activation_password VALUES('alice@master','2312b0a850e83ece61b36c7936933f4d','TI9019676129',31679,X'01000000000000000038d5b6d5e9d9d551d8d256368ef6ee553e790c49d3f566de8c6e0d52257cea4fe4026df7',1795899675449,1795900275449,0,NULL,NULL,0);
CREATE TABLE activation_session (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    registration_id TEXT NOT NULL,
    first_request_hash BLOB NOT NULL,
    first_answer BLOB NOT NULL,
    keys BLOB,
    expires_at INTEGER NOT NULL,
    second_request_hash BLOB,
    second_answer BLOB,
    kept_until INTEGER NOT NULL,
    source TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT;
CREATE TABLE device (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    registration_id TEXT NOT NULL,
    serial_number TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'pendingNotification', 'active', 'locked', 'revoked')),
    lock_reason TEXT CHECK (lock_reason IN ('wrongPassword', 'cloneSuspected')),
    state_before_lock TEXT CHECK (state_before_lock IN ('pending', 'pendingNotification', 'active')),
    created_at INTEGER NOT NULL,
    pending_until INTEGER NOT NULL,
    activated_at INTEGER,
    revoked_at INTEGER,
    name TEXT NOT NULL,
    sdk_version TEXT NOT NULL,
    methods TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    device_key BLOB NOT NULL,
    device_key_algorithm INTEGER NOT NULL,
    suite INTEGER NOT NULL CHECK (suite BETWEEN 0 AND 255),
    notification_identifier TEXT,
    enrolled_methods BLOB
        CHECK (enrolled_methods IS NULL OR length(enrolled_methods) BETWEEN 1 AND 255),
    secrets BLOB,
    ratchet BLOB,
    channel_key BLOB CHECK (channel_key IS NULL OR state = 'revoked'),
    ratchet_index INTEGER NOT NULL CHECK (ratchet_index >= 0),
    offered_index INTEGER NOT NULL CHECK (offered_index >= ratchet_index),
    promoted_at INTEGER NOT NULL,
    generation INTEGER NOT NULL CHECK (generation >= 0),
    offered_generation INTEGER NOT NULL CHECK (offered_generation >= 0),
    password_failures INTEGER NOT NULL CHECK (password_failures >= 0),
    failures_end_at INTEGER,
    receipt_hashes BLOB NOT NULL CHECK (length(receipt_hashes) <= 128),
    key_statement INTEGER NOT NULL CHECK (key_statement >= 0),
    is_restored INTEGER NOT NULL CHECK (is_restored IN (0, 1)),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    last_seen_at INTEGER,
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32),
    CHECK (NOT state = 'revoked' OR (secrets IS NULL AND ratchet IS NULL)),
    CHECK (state = 'locked' OR lock_reason IS NULL)
) STRICT;
CREATE TABLE device_data (
    device BLOB NOT NULL PRIMARY KEY CHECK (length(device) = 16),
    content BLOB NOT NULL CHECK (length(content) <= 8192),
    kept_until INTEGER NOT NULL
) STRICT;
CREATE TABLE replay (
    device BLOB NOT NULL CHECK (length(device) = 16),
    request BLOB NOT NULL CHECK (length(request) = 16),
    request_hash BLOB NOT NULL,
    answer BLOB NOT NULL,
    refusal INTEGER CHECK (refusal IS NULL OR (refusal >= 0 AND length(answer) = 0)),
    retry_after INTEGER CHECK (retry_after IS NULL OR (retry_after >= 0 AND refusal IS NOT NULL)),
    kept_until INTEGER NOT NULL,
    PRIMARY KEY (device, request)
) STRICT;
CREATE TABLE stream_token (
    token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    device BLOB NOT NULL CHECK (length(device) = 16),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE code_counter (
    device BLOB NOT NULL CHECK (length(device) = 16),
    instance INTEGER NOT NULL CHECK (instance BETWEEN 0 AND 255),
    application INTEGER NOT NULL CHECK (application BETWEEN 0 AND 255),
    next INTEGER NOT NULL CHECK (next >= 0),
    drift INTEGER NOT NULL,
    first_index INTEGER NOT NULL CHECK (first_index >= 0),
    PRIMARY KEY (device, instance, application)
) STRICT, WITHOUT ROWID;
CREATE TABLE throttle (
    account TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('code', 'staticPassword')),
    source TEXT NOT NULL,
    consecutive INTEGER NOT NULL CHECK (consecutive >= 0),
    total INTEGER NOT NULL CHECK (total >= 0),
    level INTEGER NOT NULL CHECK (level >= 0),
    level_since INTEGER NOT NULL,
    blocked_until INTEGER,
    unreported INTEGER NOT NULL CHECK (unreported >= 0),
    used_at INTEGER NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 0),
    PRIMARY KEY (account, kind, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE challenge (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    principal TEXT NOT NULL,
    challenge TEXT NOT NULL CHECK (length(challenge) BETWEEN 4 AND 16 AND challenge NOT GLOB '*[^0-9]*'),
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
CREATE TABLE approval (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
    principal TEXT NOT NULL,
    request_id TEXT NOT NULL CHECK (length(request_id) >= 1),
    session_id TEXT CHECK (session_id IS NULL OR length(CAST(session_id AS BLOB)) BETWEEN 1 AND 256),
    source TEXT NOT NULL,
    address TEXT NOT NULL CHECK (length(address) IN (0, 16)),
    request BLOB NOT NULL,
    request_hash BLOB NOT NULL CHECK (length(request_hash) = 32),
    accepted_methods TEXT NOT NULL,
    number BLOB,
    is_announced INTEGER NOT NULL CHECK (is_announced IN (0, 1)),
    amount TEXT,
    currency TEXT CHECK ((currency IS NULL) = (amount IS NULL)),
    creditor BLOB CHECK (creditor IS NULL OR length(creditor) = 16),
    browser BLOB CHECK (browser IS NULL OR length(browser) = 16),
    device_rules BLOB,
    state TEXT NOT NULL CHECK (state IN (
        'pending', 'approved', 'rejected', 'wrongNumber', 'methodRefused', 'expired', 'replaced', 'canceled')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
    opened_at INTEGER,
    ended_at INTEGER,
    device BLOB CHECK (device IS NULL OR length(device) = 16),
    answer_hash BLOB CHECK (answer_hash IS NULL OR length(answer_hash) = 32),
    reason INTEGER CHECK (reason BETWEEN 0 AND 255),
    receipt BLOB,
    notice_text TEXT CHECK (
        notice_text IS NULL OR (state = 'canceled' AND length(CAST(notice_text AS BLOB)) BETWEEN 1 AND 256)),
    notice_payload BLOB CHECK (
        notice_payload IS NULL OR (state = 'canceled' AND length(notice_payload) BETWEEN 1 AND 1024)),
    refusal_text TEXT CHECK (
        refusal_text IS NULL
        OR (state IN ('pending', 'methodRefused') AND length(CAST(refusal_text AS BLOB)) BETWEEN 1 AND 256)),
    refusal_payload BLOB CHECK (
        refusal_payload IS NULL
        OR (state IN ('pending', 'methodRefused') AND length(refusal_payload) BETWEEN 1 AND 1024)),
    kept_until INTEGER NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32),
    CHECK ((state = 'pending') = (ended_at IS NULL)),
    CHECK (state = 'pending' OR number IS NULL)
) STRICT;
CREATE TABLE policy_decision (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    record BLOB NOT NULL,
    kept_until INTEGER NOT NULL
) STRICT;
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    id BLOB NOT NULL CHECK (length(id) = 16 OR length(id) = 0),
    time INTEGER NOT NULL,
    event TEXT NOT NULL,
    subject BLOB CHECK (subject IS NULL OR length(subject) = 16),
    device BLOB,
    reason TEXT NOT NULL,
    actor TEXT,
    correlation_id TEXT CHECK (correlation_id IS NULL OR length(correlation_id) BETWEEN 1 AND 64),
    address TEXT CHECK (address IS NULL OR length(address) BETWEEN 1 AND 45),
    decision BLOB CHECK (decision IS NULL OR length(decision) = 16)
) STRICT;
INSERT INTO audit VALUES(1,X'f4ae3362793f509d0d21005982a126bb',1795899674516,'api-key.created',NULL,NULL,'cc609b3f22e8902f','administrator','733ba6e75a66a4abf88935f149a2f200',NULL,NULL);
INSERT INTO audit VALUES(2,X'8864388bf55364bb1f3ca62942577276',1795899675449,'account.registered',X'd600b464eeba28b2aa008c2414346a2d',NULL,'','api-key:cc609b3f22e8902f','e39a5dd96168b7ab825bc6354e2e4634','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'44290618204044b5f03f8ef128822959',1795899676351,'login.accepted',X'd600b464eeba28b2aa008c2414346a2d',NULL,'staticPassword','api-key:cc609b3f22e8902f','1395efa3a446ef53e8441c5dc23d9e81','127.0.0.1',NULL);
CREATE TABLE audit_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 1),
    peaks BLOB NOT NULL CHECK (length(peaks) % 32 = 0),
    note TEXT NOT NULL
) STRICT;
CREATE TABLE audit_checkpoint (
    size INTEGER PRIMARY KEY CHECK (size >= 1),
    created_at INTEGER NOT NULL,
    note TEXT NOT NULL
) STRICT;
CREATE TABLE refusal_count (
    account TEXT PRIMARY KEY,
    hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
    count INTEGER NOT NULL CHECK (count >= 1)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_tally (
    hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
    event TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 1),
    PRIMARY KEY (hour, event, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence >= 1),
    id BLOB NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL,
    time INTEGER NOT NULL,
    account TEXT,
    device BLOB CHECK (device IS NULL OR length(device) = 16),
    reason TEXT NOT NULL,
    request_id TEXT CHECK (request_id IS NULL OR length(request_id) BETWEEN 1 AND 256),
    api_key TEXT,
    until INTEGER,
    count INTEGER NOT NULL CHECK (count >= 1)
) STRICT;
DELETE FROM sqlite_sequence;
CREATE TABLE unlock_code (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    device BLOB NOT NULL CHECK (length(device) = 16),
    handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 32767),
    secret_hash BLOB CHECK (secret_hash IS NULL OR length(secret_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    tries INTEGER NOT NULL CHECK (tries >= 0),
    generation INTEGER CHECK (generation IS NULL OR generation >= 1),
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX account_by_subject ON account (subject);
CREATE INDEX account_notice_by_kept_until ON account_notice (kept_until);
CREATE INDEX activation_password_by_expires_at ON activation_password (expires_at) WHERE secret IS NOT NULL;
CREATE INDEX activation_session_by_kept_until ON activation_session (kept_until);
CREATE INDEX activation_session_by_expires_at ON activation_session (expires_at) WHERE keys IS NOT NULL;
CREATE INDEX activation_session_by_source ON activation_session (source, expires_at);
CREATE INDEX activation_session_by_age ON activation_session (expires_at);
CREATE INDEX device_by_account ON device (account, created_at, id);
CREATE INDEX device_by_pending_until ON device (pending_until) WHERE (state = 'pending' OR (state = 'locked' AND state_before_lock = 'pending'));
CREATE INDEX device_by_revoked_at ON device (revoked_at, id) WHERE state = 'revoked';
CREATE INDEX device_by_serial_number ON device (serial_number, id, account, state, activated_at)
WHERE activated_at IS NOT NULL;
CREATE INDEX device_data_by_kept_until ON device_data (kept_until);
CREATE INDEX replay_by_kept_until ON replay (kept_until);
CREATE INDEX replay_by_refusal ON replay (device, kept_until) WHERE refusal IS NOT NULL;
CREATE INDEX stream_token_by_device ON stream_token (device);
CREATE INDEX stream_token_by_expires_at ON stream_token (expires_at);
CREATE INDEX throttle_by_used_at ON throttle (used_at) WHERE source <> '' AND source <> 'overall' AND consecutive = 0 AND total = 0 AND level = 0 AND unreported = 0 AND blocked_until IS NULL;
CREATE INDEX challenge_by_account ON challenge (account, expires_at DESC, id);
CREATE INDEX challenge_by_expires_at ON challenge (expires_at);
CREATE INDEX approval_by_account ON approval (account, created_at, id) WHERE state = 'pending';
CREATE UNIQUE INDEX approval_by_request_hash ON approval (request_hash);
CREATE INDEX approval_by_request_id ON approval (principal, request_id, created_at, id);
CREATE INDEX approval_by_pending_request_id ON approval (request_id) WHERE state = 'pending';
CREATE INDEX approval_by_session_id ON approval (session_id) WHERE state = 'pending';
CREATE INDEX approval_by_expires_at ON approval (expires_at) WHERE state = 'pending';
CREATE INDEX approval_by_kept_until ON approval (kept_until);
CREATE INDEX policy_decision_by_account ON policy_decision (account, created_at, id);
CREATE INDEX policy_decision_by_kept_until ON policy_decision (kept_until);
CREATE INDEX audit_by_subject ON audit (subject, sequence);
CREATE VIEW named_audit AS
SELECT audit.*, account.name AS account
FROM audit LEFT JOIN account ON account.subject = audit.subject;
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
WHEN old.sequence < 1 OR old.sequence > ifnull((SELECT audit_pruned_size FROM platform_state), 0)
BEGIN SELECT RAISE(ABORT, 'only the pruned part of the audit log can be deleted'); END;
CREATE INDEX event_by_account ON event (account, sequence);
CREATE UNIQUE INDEX unlock_code_by_device ON unlock_code (device) WHERE secret_hash IS NOT NULL;
CREATE INDEX unlock_code_by_account ON unlock_code (account, created_at);
CREATE INDEX unlock_code_by_created_at ON unlock_code (created_at);
COMMIT;
