-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The key is public, and for this test only:
-- master.key 88f3fd68f3c8f23e:526176be25352e449d0a35a5bc08d072b54935ba0fa5873fc8c7367fa6107e0f
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
    audit_pruned_size INTEGER CHECK (audit_pruned_size IS NULL OR audit_pruned_size >= 1),
    audit_pruned_peaks BLOB CHECK (audit_pruned_peaks IS NULL OR length(audit_pruned_peaks) % 32 = 0),
    audit_pruned_has_rows INTEGER,
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT;
INSERT INTO platform_state VALUES(1,'default',1795810616842,NULL,0,0,0,0,'88f3fd68f3c8f23e',X'0100000000000000002031faf76d3c9c6184aee50bbe113dc6984c40b876bb80f77006767d5cd3c7ee2c5f106e87e5af41fd7fc812395d577ccb1cd7f2b134a5689522b9eb49e8a9c3dd513dd5ac3d67d604a8646a8f886dac3d4b322ab5bd7ea2bb3bfb1779319b6cc642fc13e3cf432465f1d5fa6464a6177e2fec64d85600f0e20439d924af18dc6e4bcc30e4cb70d8d5feb1768719b2df0be4f53e3b5fc5504919122b4f2861710386e474938a81abfbe95b861eb6eaf1631c609a3c959d32831bc85b41c93400132cde6c8ef51bf7b050de6e0ca3dfac41c4812ba7ff2726f8bd16deb3b62fd16c4f845a1e0cd7e02e75d87aa274e72700353ffc73a867db2699bd84',NULL,NULL,NULL,0,X'dab59bd111740bd1f8610aa5849587bc6d3b9e76b679d6c5ceea1b3c812167cf');
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
INSERT INTO platform_key VALUES(X'7e9c253286b3b773','signing',-19,X'5c17d2dd6181884923dc2a31da5461247eca76b4cce9f8fb0b6b0783627f9ec1',X'0100000000000000007997d458684c6c2deb53d0743e4f2d54e995eea79aaebf3e0b14e2788a51b4a669b0d33c01e4f015512f1a4cf9455c156e3a7278bd585a4bcad2c463',1795810616855,0,NULL,NULL,NULL,0,X'f093eb5ad53b3389df6a7b7c02c918f23eb1fadf7e32094fdcc3f743b67dd578');
INSERT INTO platform_key VALUES(X'803a4429eacffea3','audit',-19,X'e22b8aa9e376623aec6f78dabc8e6b53be01bd5350cdf4ad0d41f3a963a9dc6c',X'010000000000000000944b434ac642e432e6924e0040984b2fb382ee18149cc5b7d386202b4147cf82f005993652033fb650dcdd11f85719690f320ff3f5e76558d985ec16',1795810616855,0,NULL,NULL,NULL,0,X'16a1c407b382f7da3331a35dc976bbb328a4904360d00312586b8f33b364a338');
INSERT INTO platform_key VALUES(X'c1a9c0902db5682f','sealing',2,X'124a71c6b9c71fabca2467bc73e77c08954bca7030d4f295d100531aa937bc373dd6549b1ad432ede2c0ba0c30dcaab4cbd162421b14198544bb58a2e78604a183b8f11002a0a3bdca5216c7e156bc9b750ff57aaa334ab59133a719cac1e89a96425596046d572cbc5f78809b8bb5fe472ac650a3a6daa50bb991c8b5cf91a27c79299c6101adcd5488da0b5f8c5840f6c4806520026e9a880ca7cd1c1aa363d6748949437d8315b2530edbd62f77f3827509c14b99414087c7cf6a4240c331726c44e978cc680470ca408b13d643faaa254de663b0da5fdca56c07920cc51186c6a3af68f998917a89eea15b7ceac05fe2aee859ac4eb1bc01ec159d0410342857e9236c8d68ad3bc446d33b357b977054f86d32f1a681bbb90b886ee250cfc1fc381f654917a63690da1d8af67581290d49220dc61a05aaf1b58a183a7f7ab58ee45fc32c853e55caa7a881efc481c4ebab9b979a98ca21fd1164de028b32721813b5b54b71b3877a596b73589fc0a3ae8ccd1b3a22f4c362701a140e6018b791528990258802a59059235d709ca0f87353b57049993a8936b82af215da386a6784aaf875c990c594b2b9aa48d58359cb37e3ccc506b357477c15a69bbd0d12030ffa9097b9641835b77140ce05db67a6371a69783d5dda4438d0707259bab3714b9d5754727c06dc7c4ce0e38b1a4abc3457839ebc8816ca20ffb044d405a704376e2ad046210541c8e5bb0a314345498cc8d51ddb717948e58c76952dffa98b4b79bfe6db2d25609a7bd69b8cdc6262366a963867115b3a2c86b250d2934b0c08d9032f94f6a4104a297a85c3abbb337ba66c34017218841f1347b054f5851b187219137c62158545e03b49a0693fc6950ef6790fe5045fda3f9cc91a07b5c7abe820929a3599d68d5ba88c82026851e83fdc3804c9eb0d67f1a14d618894792eb3093569c69e0ab3a28fd7b0580b68421ac8fad3991091c292a1b1bb9a4b83c8a627639970b51db15335d84a909b284822ca3521990a8d74c9533894f6d504b2362b03db87eb41c24fd34f9059aebec92696f80696e612cbfa4615f224eae29abad04e19b87ff9b87bd9545f696a8cd53125ce0630ace51c9280527404b2484c062a716fe1334faf784fbbf5394ee84e0abc7ab06aa425004089b33747202f788ab66ed820b026a3d799889e758e393689c94b466541827fc298e0e0b6cb2285e7e4cd73a4c75879360b72b46eb92ab474832db734faf6469efa85382728ac798a00d50e91f9c2594bb73f182f031411b0f1ab36256036493c4c344d0b75b5163561a5b329b65193fa6653ff8994181144a3bc6baa0c94dfd9c6f02cc8a753be276bbc8e92af10228313ea8cbe0732e620aaeae6a11b374b0fb0647fac07d2740136e683bd1838a2dacc6bc640971134efe46f78d68e39dc22b145521206acb0845f2fd356ff782d7f585d15c80b6925733c730745038354995e4e6c382e6cacd113787bf12ca635afabfac4dbb15798bc060686781d16303a3a14881733025374bda85cb2cb4b3ab99270730027b803092b3e7b9cbc0dd9a11d87c5fa216bfca095e432cb8972519b534c255b32f137bfd2b88479b88e25228acf2b8b1c880cde7b57f87338f1984db087c8229ca6b74c9b24057ec859931ab00cb010e36a8abfe87bdb3482ad9b22a28e036cb151eaa729b2b353d933644629702754',X'01000000000000000057425da5cf6f5229deb53a094c75ff0663f24ad482e6f0e79ad85b51bbfb5e81ae6d5a7b540ab8942038945df167889174fd8485e41fb9d4f34e7d84',1795810616855,0,NULL,NULL,NULL,0,X'acf2867be9884c8b96ecd9336519d599f67748d8d5e2877acf05927e1d8dd9df');
INSERT INTO platform_key VALUES(X'f2912804aca1636b','sealing',1,X'327e8194e62e4c6d74922ae5a3440c2fd26ffc83bc5461fd3a13843f120b330c',X'0100000000000000000efae4de452e32e87b4b299c4562128b9ef3a66800bff1acd65bfae0f9696661e252993a128ee28babf7863bf6d089cca277637be9c0a039cbe6115f',1795810616855,0,NULL,NULL,NULL,0,X'a5ee70f88cda4c3146198307d73875ac66a918018616e033fc6c4a2933b81ba7');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da2013204487e9c253286b3b773a059056f8501f61b000001a21ea766178486487e9c253286b3b773003258205c17d2dd6181884923dc2a31da5461247eca76b4cce9f8fb0b6b0783627f9ec100f68648803a4429eacffea302325820e22b8aa9e376623aec6f78dabc8e6b53be01bd5350cdf4ad0d41f3a963a9dc6c00f68648c1a9c0902db5682f01025904c0124a71c6b9c71fabca2467bc73e77c08954bca7030d4f295d100531aa937bc373dd6549b1ad432ede2c0ba0c30dcaab4cbd162421b14198544bb58a2e78604a183b8f11002a0a3bdca5216c7e156bc9b750ff57aaa334ab59133a719cac1e89a96425596046d572cbc5f78809b8bb5fe472ac650a3a6daa50bb991c8b5cf91a27c79299c6101adcd5488da0b5f8c5840f6c4806520026e9a880ca7cd1c1aa363d6748949437d8315b2530edbd62f77f3827509c14b99414087c7cf6a4240c331726c44e978cc680470ca408b13d643faaa254de663b0da5fdca56c07920cc51186c6a3af68f998917a89eea15b7ceac05fe2aee859ac4eb1bc01ec159d0410342857e9236c8d68ad3bc446d33b357b977054f86d32f1a681bbb90b886ee250cfc1fc381f654917a63690da1d8af67581290d49220dc61a05aaf1b58a183a7f7ab58ee45fc32c853e55caa7a881efc481c4ebab9b979a98ca21fd1164de028b32721813b5b54b71b3877a596b73589fc0a3ae8ccd1b3a22f4c362701a140e6018b791528990258802a59059235d709ca0f87353b57049993a8936b82af215da386a6784aaf875c990c594b2b9aa48d58359cb37e3ccc506b357477c15a69bbd0d12030ffa9097b9641835b77140ce05db67a6371a69783d5dda4438d0707259bab3714b9d5754727c06dc7c4ce0e38b1a4abc3457839ebc8816ca20ffb044d405a704376e2ad046210541c8e5bb0a314345498cc8d51ddb717948e58c76952dffa98b4b79bfe6db2d25609a7bd69b8cdc6262366a963867115b3a2c86b250d2934b0c08d9032f94f6a4104a297a85c3abbb337ba66c34017218841f1347b054f5851b187219137c62158545e03b49a0693fc6950ef6790fe5045fda3f9cc91a07b5c7abe820929a3599d68d5ba88c82026851e83fdc3804c9eb0d67f1a14d618894792eb3093569c69e0ab3a28fd7b0580b68421ac8fad3991091c292a1b1bb9a4b83c8a627639970b51db15335d84a909b284822ca3521990a8d74c9533894f6d504b2362b03db87eb41c24fd34f9059aebec92696f80696e612cbfa4615f224eae29abad04e19b87ff9b87bd9545f696a8cd53125ce0630ace51c9280527404b2484c062a716fe1334faf784fbbf5394ee84e0abc7ab06aa425004089b33747202f788ab66ed820b026a3d799889e758e393689c94b466541827fc298e0e0b6cb2285e7e4cd73a4c75879360b72b46eb92ab474832db734faf6469efa85382728ac798a00d50e91f9c2594bb73f182f031411b0f1ab36256036493c4c344d0b75b5163561a5b329b65193fa6653ff8994181144a3bc6baa0c94dfd9c6f02cc8a753be276bbc8e92af10228313ea8cbe0732e620aaeae6a11b374b0fb0647fac07d2740136e683bd1838a2dacc6bc640971134efe46f78d68e39dc22b145521206acb0845f2fd356ff782d7f585d15c80b6925733c730745038354995e4e6c382e6cacd113787bf12ca635afabfac4dbb15798bc060686781d16303a3a14881733025374bda85cb2cb4b3ab99270730027b803092b3e7b9cbc0dd9a11d87c5fa216bfca095e432cb8972519b534c255b32f137bfd2b88479b88e25228acf2b8b1c880cde7b57f87338f1984db087c8229ca6b74c9b24057ec859931ab00cb010e36a8abfe87bdb3482ad9b22a28e036cb151eaa729b2b353d93364462970275400f68648f2912804aca1636b01015820327e8194e62e4c6d74922ae5a3440c2fd26ffc83bc5461fd3a13843f120b330c00f6a05840e5ef35d851b6e5b7f986dd89c5e3cb22c84ebdec452c780bdecbadd8a2a24bc94b451248e28652ce08b4215e424e12b64a3589eacfd155d60731b5820e3fe002',1795810616855);
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
INSERT INTO api_key VALUES('8fe21cdebef28f8a','','app-server',X'a8e9ca2ea14a7952016a4914663886b46602e545223a3c16d68bf2615fb23906',1795810617958,NULL,0,0,'',0,X'd9b28b63fb34e6531c2430792ba828d77e91ced5a0d817e8d4ddae2c28fd434f');
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
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT, WITHOUT ROWID;
INSERT INTO account VALUES('alice@master',1795810619365,'9f982338c5b6f5a4da0b50578c4e953b',NULL,NULL,X'01000000000000000155b83e1c1b82b43c092a3d6fe5c716cc69b66a206117452b697c45b057a10832d6b6b19cd2186a45b54d8157ac1b97790a539e79cc0238d7276d484f47244652fe34e48e8b9402b516a4381f08c29f29',0,0,X'7ba78cdbc7b1d7b13a93a82b6124f800',0,X'fcf5e41166f2c1ecbdf9e2e40897789fcac687a2bebf435bb4de191b32bdc8cf');
CREATE TABLE account_risk (
    account TEXT NOT NULL PRIMARY KEY,
    state BLOB NOT NULL CHECK (length(state) <= 65536),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
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
    version INTEGER NOT NULL CHECK (version >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO activation_password VALUES('alice@master','9f982338c5b6f5a4da0b50578c4e953b','TI5709675998',1781,X'0100000000000000006bad7e7864f62d1bab67b24fa85cae9ec7eb45a34d082aba6edd33c4f879484c15f5b437',1795810619365,1795811219365,0,NULL,0);
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
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE approval (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account TEXT NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
    principal TEXT NOT NULL,
    request_id TEXT NOT NULL CHECK (length(request_id) >= 1),
    session_id TEXT CHECK (session_id IS NULL OR length(CAST(session_id AS BLOB)) BETWEEN 1 AND 256),
    source TEXT NOT NULL,
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
INSERT INTO audit VALUES(1,X'596ab9bacb0d32c269235069981eb88f',1795810617958,'api-key.created',NULL,NULL,'8fe21cdebef28f8a','administrator','9e2590f15d1799168491d6ea721ed04d',NULL,NULL);
INSERT INTO audit VALUES(2,X'715a0630ef8e836094f22f8cc0150b2a',1795810619365,'account.registered',X'7ba78cdbc7b1d7b13a93a82b6124f800',NULL,'','api-key:8fe21cdebef28f8a','b94e6717c0815ac799cb0c8a99945893','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'0affc394ba86cb54d6698db0fc0f4e5f',1795810620384,'login.accepted',X'7ba78cdbc7b1d7b13a93a82b6124f800',NULL,'staticPassword','api-key:8fe21cdebef28f8a','93183409149db33e79f8f5d7e743e4bb','127.0.0.1',NULL);
CREATE TABLE audit_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 1),
    peaks BLOB NOT NULL CHECK (length(peaks) % 32 = 0),
    note TEXT NOT NULL
) STRICT;
INSERT INTO audit_tree VALUES(1,3,X'cac10925a75e186cf2cfbfc24e9025952df649e6c6508ecff5ed51560707eb467c4e4c68ff4b729a1cb34e33fa74fb03c96e19de82307376b9803b1db540e920',replace('swift-orchestration/audit/2729d85b8a934e10/default\n3\ncOBOcFSNptQM53GR56yC4+kzCQJnMUHW0OqGd5EZX18=\n\n— swift-orchestration/audit/2729d85b8a934e10/default OblraCa1KyFGDIRtxo9GYYH4RNaqYe4PvNUfHdr4sq9IKN6JrHUJ9Z3GhvnJwwPXAh3BxFYBhCTMsVJOd7MsuvtReQg=\n','\n',char(10)));
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
    count INTEGER NOT NULL CHECK (count >= 1),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT;
DELETE FROM sqlite_sequence;
CREATE UNIQUE INDEX account_by_subject ON account (subject);
CREATE INDEX activation_password_by_expires_at ON activation_password (expires_at) WHERE secret IS NOT NULL;
CREATE INDEX activation_session_by_kept_until ON activation_session (kept_until);
CREATE INDEX activation_session_by_expires_at ON activation_session (expires_at) WHERE keys IS NOT NULL;
CREATE INDEX activation_session_by_source ON activation_session (source, expires_at);
CREATE INDEX activation_session_by_age ON activation_session (expires_at);
CREATE INDEX device_by_account ON device (account, created_at, id);
CREATE INDEX device_by_pending_until ON device (pending_until) WHERE (state = 'pending' OR (state = 'locked' AND state_before_lock = 'pending'));
CREATE INDEX device_by_revoked_at ON device (revoked_at) WHERE state = 'revoked';
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
COMMIT;
