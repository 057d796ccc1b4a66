-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The keys are public, and for this test only:
-- master.key 61325872b3d11f77:58486433a32eaefe1f0c4cf6eccfe8645ebf8a652ee3a72f95258c6cd6b8610b
-- change.key 264ecc3efb69f2be424e9d527e65c1a43974b2172738073eb17c7ec129cf97af
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
CREATE TABLE platform_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    tenant TEXT NOT NULL CHECK (length(tenant) BETWEEN 1 AND 64),
    created_at INTEGER NOT NULL,
    restored_at INTEGER,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    restored_sequence INTEGER NOT NULL CHECK (restored_sequence >= 0),
    suspended_below INTEGER NOT NULL CHECK (suspended_below >= 0),
    suspended_below_before INTEGER NOT NULL CHECK (suspended_below_before >= 0),
    change_key_id BLOB CHECK (change_key_id IS NULL OR length(change_key_id) = 8),
    master_key_id TEXT CHECK (master_key_id IS NULL OR length(master_key_id) BETWEEN 1 AND 32),
    previous_master_key_id TEXT
        CHECK (previous_master_key_id IS NULL OR length(previous_master_key_id) BETWEEN 1 AND 32),
    retained_keys BLOB,
    audit_pruned_size INTEGER CHECK (audit_pruned_size IS NULL OR audit_pruned_size >= 1),
    audit_pruned_peaks BLOB CHECK (audit_pruned_peaks IS NULL OR length(audit_pruned_peaks) % 32 = 0),
    audit_pruned_has_rows INTEGER,
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT;
INSERT INTO platform_state VALUES(1,'default',1795769192069,NULL,0,0,0,0,X'147af125675c30af',NULL,NULL,NULL,NULL,NULL,NULL,1,X'af7441373ccae956c5422d210ee24b48f6f6b6ace843b507afaaf74f6cecc018');
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
INSERT INTO platform_key VALUES(X'25041ff23e2b60e9','signing',-19,X'8739bf45ad46519c6a67e6d2421ada3b923fcc470ce06204b7f39b1ab1db8b8e',X'0110363133323538373262336431316637370000000000000000056f7f9f616e4078d934ee3244f4373973d43b1bfe7ab737226f7f8b3bf80f0cf3b30d82692f846bb41cf3c1d0bfb806cfe9ef8f31d0ac6c28032a29',1795769192069,0,NULL,NULL,NULL,0,X'c1a1ce7a71a87a8ee25870e00fb879e7d4222e422d0fa0f31da88a961cad4095');
INSERT INTO platform_key VALUES(X'328fa56efdbc7e9a','sealing',2,X'9beba6badcc48c091a19b07b64438bf0852947abafe467bef7328ca457a7bc289e12b5751f2b1044d2a14e595858228a54654c5d7bb9e47651906c93b9f9a81a12279c7a866d008931971d55b7c0106c5b8031345b782541aa18cdcc4e4f4a287ed657c22c0fd62a7245f283079b0fadc7bf5e808a2767242afab9dc0b2f26ac71ec96669cf1703ce64c962b114623978b22ba893172b0486f3b748bdd0a1f7ff83f861357936346f399c8e1d07146f875990c13ad6bb3e25327740491f3fa84746b3727bac117f91ff913a16a8a473b42142a5a35b1b9c54fb426ee69979a607467c8b194499d0a1965bc73cb0a34772a83191a763035c623a7f008e470ca28d16a2bc823c124a14a744910b084f80517bc6349bcb0b20a2a93f0049db3967631f42266f65a27b510dcf652932c602ae97d951c7546237b5547cc5309af80a7620bdb87ef4b1ec4c1833e16c0b2a49a4cc0ac2b6138428341e6c93bb82b30e99c75c2661d3417bccdd919b8a48248251fd3c0b5d28b0c7762a77b1276d6fba9ac0ab028abc8cad8aa512356bf9a4a020627e3946ce1a213b12454ca325cbaf407d185737ac108a14a190c29450e858ae992886eb36db7a48fa9e8293de828afc47b3a2ccbb947162ac12735188496bc2a061220b3e2703b8a6ccd56c3f06b2263e0956a037985761e1c7a98541760e49314fa785d3150a1d155411d118c8d28bd391b42e9e253d8b4c94f694437234fd71c75309a245b771c9919b7ec9b0a04b74569a45280019b624726b3ec3fd90b06d8e9c0e3ec5d7387acc5777876d4a450807d97fc8552d0035dc975160499477b7a0c880d4b35144031b008d5459cf4c68938ac324891a9339ad578426f2a84960c1772612003a84a5dd15706750470634478d57f8950c12dd51de6fc9ac7ac0ba92cbb5aac56dfd3077800b0476488a2d0a22577a85321392511329a0bc87fb2c727183f1ca00260056486c04575504d75d556096908521281b622069ca5a3cff91dd78295803c6d918bab17fc9ad5c4bc9a570d3b9b462fa1876282836970bc333194608b4f95819fd43401fbeab4f1a102f561652b66affce080ae348e56326322871d215a5b89c652c436c9eb560d6c71000b449279eb36a13801e5dc5a31f08dd29b73a69cab9f641c2f8c82fdb63824b745e23765210a48d1801986557d2ca8a609c236ff97ae39a99fed3856cf329509e45ef2442b7fda65e22b105856ae0a39707d7ab88feab31b4b1217d74073165f560602e2cc2dfad40f5c36640c0a59a090b0b77010e573b5ba7c779be29923a524f645026784acea47a37e53c98eca85285521dc465f35151a07f26c682646b7b7246e67603bc7a268eaa03d5c9d6e521c6d441f9aeacfb3a4b91d864d0b65526dfacf1c0abc24f318778b51dd62177b28907178a9a677b11912c97ec1765e3a6602d3b502d8669e212ef8fb941606889a05001309a03f611fff939b0c5289fbb2cf285154a806ceac747e253002e94c19ca379ed5b60d40b36b2b384e04eb5ce304aac0ac6c3ff42e530656a33c48eebc52cdf37ac338ae366b0d48365b53459a92423ba071afffc354df464f1b012621f465c6ea018e9405ffc916cd4b59f611094ee8e9e8b18af0a0e7c3967a4154b70804ecffe905ac78410548fd3ed8742ba768812358b968aa7a33af4d8067804616fd78c85937b2af02ff44',X'01103631333235383732623364313166373700000000000000003e66a6eed14a3fa736de8aa74bd4a3a62d12e02dfa36bf2b940fc3f64d9d5e950ec34ecff75af35375433ffc42a9f7c55af82d8c501f72c3f75c3a8c',1795769192069,0,NULL,NULL,NULL,0,X'8fba7346c25f4976c82eabb537ca7227be1191a86c322fd0378a91051202fc72');
INSERT INTO platform_key VALUES(X'd18eb76643372e0f','audit',-19,X'1509790af2ba522f70efa4d0aaaef6bcdd0e2be35640967716412d61cac39f42',X'0110363133323538373262336431316637370000000000000000a9e7729bd0fea7ba575c2d6bb05b6fa0e0ea6ba302d94b70be1f745b5ad78d004631b2c57ccabb4f177a97950abaeb8c551a53a10f21e7c7b8c2dd3a',1795769192069,0,NULL,NULL,NULL,0,X'b0cbe1c3f6f345af359404c38a8ccc1857f2ef96c01ee08cf36655d32e84f3f1');
INSERT INTO platform_key VALUES(X'f42be5d6081f0319','sealing',1,X'89ee0e4f690fc382b1535572a103037b7110e38799f7d022c49bebc4ab77bd24',X'0110363133323538373262336431316637370000000000000000eee03a94db1b0a7ffacd6b8a76aa221485b9d065a3764b1bb63b2be53e7ab223b3cdcaa02357c60be09a8085914ca85617d8f160da5a46c1db6b03f0',1795769192069,0,NULL,NULL,NULL,0,X'3e1372659919014bc77f8f86c5bb20dffda2b78df27d905b18b5fbc2b972f048');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da20132044825041ff23e2b60e9a059056f8501f61b000001a21c2f4e8584864825041ff23e2b60e9003258208739bf45ad46519c6a67e6d2421ada3b923fcc470ce06204b7f39b1ab1db8b8e00f68648328fa56efdbc7e9a01025904c09beba6badcc48c091a19b07b64438bf0852947abafe467bef7328ca457a7bc289e12b5751f2b1044d2a14e595858228a54654c5d7bb9e47651906c93b9f9a81a12279c7a866d008931971d55b7c0106c5b8031345b782541aa18cdcc4e4f4a287ed657c22c0fd62a7245f283079b0fadc7bf5e808a2767242afab9dc0b2f26ac71ec96669cf1703ce64c962b114623978b22ba893172b0486f3b748bdd0a1f7ff83f861357936346f399c8e1d07146f875990c13ad6bb3e25327740491f3fa84746b3727bac117f91ff913a16a8a473b42142a5a35b1b9c54fb426ee69979a607467c8b194499d0a1965bc73cb0a34772a83191a763035c623a7f008e470ca28d16a2bc823c124a14a744910b084f80517bc6349bcb0b20a2a93f0049db3967631f42266f65a27b510dcf652932c602ae97d951c7546237b5547cc5309af80a7620bdb87ef4b1ec4c1833e16c0b2a49a4cc0ac2b6138428341e6c93bb82b30e99c75c2661d3417bccdd919b8a48248251fd3c0b5d28b0c7762a77b1276d6fba9ac0ab028abc8cad8aa512356bf9a4a020627e3946ce1a213b12454ca325cbaf407d185737ac108a14a190c29450e858ae992886eb36db7a48fa9e8293de828afc47b3a2ccbb947162ac12735188496bc2a061220b3e2703b8a6ccd56c3f06b2263e0956a037985761e1c7a98541760e49314fa785d3150a1d155411d118c8d28bd391b42e9e253d8b4c94f694437234fd71c75309a245b771c9919b7ec9b0a04b74569a45280019b624726b3ec3fd90b06d8e9c0e3ec5d7387acc5777876d4a450807d97fc8552d0035dc975160499477b7a0c880d4b35144031b008d5459cf4c68938ac324891a9339ad578426f2a84960c1772612003a84a5dd15706750470634478d57f8950c12dd51de6fc9ac7ac0ba92cbb5aac56dfd3077800b0476488a2d0a22577a85321392511329a0bc87fb2c727183f1ca00260056486c04575504d75d556096908521281b622069ca5a3cff91dd78295803c6d918bab17fc9ad5c4bc9a570d3b9b462fa1876282836970bc333194608b4f95819fd43401fbeab4f1a102f561652b66affce080ae348e56326322871d215a5b89c652c436c9eb560d6c71000b449279eb36a13801e5dc5a31f08dd29b73a69cab9f641c2f8c82fdb63824b745e23765210a48d1801986557d2ca8a609c236ff97ae39a99fed3856cf329509e45ef2442b7fda65e22b105856ae0a39707d7ab88feab31b4b1217d74073165f560602e2cc2dfad40f5c36640c0a59a090b0b77010e573b5ba7c779be29923a524f645026784acea47a37e53c98eca85285521dc465f35151a07f26c682646b7b7246e67603bc7a268eaa03d5c9d6e521c6d441f9aeacfb3a4b91d864d0b65526dfacf1c0abc24f318778b51dd62177b28907178a9a677b11912c97ec1765e3a6602d3b502d8669e212ef8fb941606889a05001309a03f611fff939b0c5289fbb2cf285154a806ceac747e253002e94c19ca379ed5b60d40b36b2b384e04eb5ce304aac0ac6c3ff42e530656a33c48eebc52cdf37ac338ae366b0d48365b53459a92423ba071afffc354df464f1b012621f465c6ea018e9405ffc916cd4b59f611094ee8e9e8b18af0a0e7c3967a4154b70804ecffe905ac78410548fd3ed8742ba768812358b968aa7a33af4d8067804616fd78c85937b2af02ff4400f68648d18eb76643372e0f023258201509790af2ba522f70efa4d0aaaef6bcdd0e2be35640967716412d61cac39f4200f68648f42be5d6081f03190101582089ee0e4f690fc382b1535572a103037b7110e38799f7d022c49bebc4ab77bd2400f6a058400d381622a0988972aa4f54aa5bde8b4cf7cdb8f0076dee6bfe91ea091fd44ee4efb5b3672899bf6c5e77c267743505eedf7a5dbf9a472ae966e9e6564cb17207',1795769192069);
CREATE TABLE api_key (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('app-server', 'admin')),
    secret_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    shows_numbers INTEGER NOT NULL CHECK (shows_numbers IN (0, 1)),
    domains TEXT NOT NULL CHECK (length(domains) <= 2080),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT, WITHOUT ROWID;
INSERT INTO api_key VALUES('dda4b16caf5c4b4f','','app-server',X'a4b54d3e9f3df68343149e5aa3e23bff9dbc8ed292d041b5711d6058a0b689fb',1795769196090,NULL,0,0,'',0,X'4dc9b71119050d12218a519bcf19c59aa6b1233ecaeec08e8e96033b6cc7d400');
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
INSERT INTO account VALUES('alice@master',1795769196524,'26963adc0700b00a6fb09da7d20b04f0',NULL,NULL,X'0110363133323538373262336431316637370000000000000001a44b74490acccb6409a14d0507f13cdf2c4fca65c0a96f36b45a0f31cd20db339b98442bd1598a1b1805aaf282d108d7641926d16b24cc6416d59780916835865a87c14b6f0958a675ceeb4472229a80',0,0,X'bb7f716ce7a7c77aa468af29bf3b5c39',0,X'b760640880a9e2df25ffc92ac67a4d7b1bb63ab334826818921604c10d63c025');
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
INSERT INTO activation_password VALUES('alice@master','26963adc0700b00a6fb09da7d20b04f0','TI8795909055',16085,X'0110363133323538373262336431316637370000000000000000da9c65a2ffc7f1ddfbcbfa41d4a4667aecf7ccc8ff7edabb68ffeee415d560c0380e4f16',1795769196524,1795769796524,0,NULL,0);
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
    session_id TEXT CHECK (session_id IS NULL OR length(CAST(session_id AS BLOB)) BETWEEN 1 AND 64),
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
INSERT INTO audit VALUES(1,X'5408216d69433c863c067dbdb9a15700',1795769196090,'api-key.created',NULL,NULL,'dda4b16caf5c4b4f','administrator','eab812d25157228e8eda4710183c729d',NULL,NULL);
INSERT INTO audit VALUES(2,X'81905af359f69e4c18fff09ab944506d',1795769196524,'account.registered',X'bb7f716ce7a7c77aa468af29bf3b5c39',NULL,'','api-key:dda4b16caf5c4b4f','e2aa1000ce5f91ba3b0fc3f0165d0341','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'f8158a33ccab867a4818666d14e3b470',1795769196927,'login.accepted',X'bb7f716ce7a7c77aa468af29bf3b5c39',NULL,'staticPassword','api-key:dda4b16caf5c4b4f','a1e59433b7b306d817db679e6fe2379e','127.0.0.1',NULL);
CREATE TABLE audit_tree (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 1),
    peaks BLOB NOT NULL CHECK (length(peaks) % 32 = 0),
    note TEXT NOT NULL
) STRICT;
INSERT INTO audit_tree VALUES(1,3,X'243d32df69891e82e40644f6c220caa2aa2fea04cfffa54cc8d526e3e40d13788f6822705ddddf3e9eb3b92e542cb628cf1ad17cb8ce99e717c6cadc3e6821ef',replace('swift-orchestration/audit/366d4b7a341ae9d4/default\n3\n0/mK7ehuM39xC/MqerM1JQ1/QUZAwV+apgBBSiTIYVs=\n\n— swift-orchestration/audit/366d4b7a341ae9d4/default ECwAxp6XJ9MHyvUJJUfD07gYYcL8MPrwaZ1K9VowLzvZ4jQCUeoOIROaBzwikdgWP/xCJPR7duukDI85uvBQtYw1Yg8=\n','\n',char(10)));
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
    request_id TEXT CHECK (request_id IS NULL OR length(request_id) BETWEEN 1 AND 64),
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
