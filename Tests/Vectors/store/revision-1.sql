-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The key is public, and for this test only:
-- master.key f700ed1b41edb0d9:a3b8b56288c48cc4a3105eaca833baf7c8e4ad5a5911d9520b60927f24dff837
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
    revoked_count INTEGER NOT NULL,
    revoked_sum BLOB NOT NULL CHECK (length(revoked_sum) = 32),
    version INTEGER NOT NULL CHECK (version >= 0),
    authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
) STRICT;
INSERT INTO platform_state VALUES(1,'default',1795869133271,NULL,0,0,0,0,'f700ed1b41edb0d9',X'010000000000000000766f064fb385e4346894097722514f2e669be50595541477ff1c39ad26c270f1e252aba4db5e91ac57ba786aae85c435d9bb92f6c8cf4a0d463ad281bc49534ad463f5267f5ae4c61b4e104a55f2df0adb2d91a6fd24484a7bd12b09d6c89be3a135f0e26c14320fc07a3ca62ec029d6a02c5975279eb55fce9e5f724e6f20e3fde26eee8f3ea5dd188fdde9839829bcb3ce8e30a74ee60826c6d7c0aeaa4e72cbc5838bd447330f1448d5a6f6ae72d4d121fbdcc2c1de7df1dc8d5b4a88e5cb26355b48e88a423bcb490e4c5d21b817b7470be11a24d1390b836f3f608d9d481ec828ff58fa86ab5df6b9caa453d409ddb679433055abb1548da851',NULL,NULL,NULL,0,X'0000000000000000000000000000000000000000000000000000000000000000',0,X'd7a9c939b9950ad43674981ac0d90471f41141a5880d4d666482ee7b6553e60c');
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
INSERT INTO platform_key VALUES(X'03cd2ce75b4d3d5a','signing',-19,X'7f82062b34c855a6127ce8316bb8ccd24b54425e54fe91b1ba50ca316959e580',X'01000000000000000086e9c87e2328501ee4f3be484bcfeff8e81b75ba57a03960bc85224fed1759d8d176440a8aeeec319db76ef61fb4541aab14da02ed58a7301e433db6',1795869133311,0,NULL,NULL,NULL,0,X'caf946cb7cd3f198ac6c3c6ab9fb9b32e5b925fb312d1cfeb885e2cddabdd588');
INSERT INTO platform_key VALUES(X'2a2d92a8711ffc3a','sealing',1,X'b79e683c301916e1049bcfcf1e6a6bf65abbdfed6f9e8779b1c2138124db086f',X'010000000000000000e6b250ed81abcf953729027a83e98972df43794dbead68904e30192c60dccdfc3f5cb208da3004c7b96f312115ab3369552d161c524132e734845203',1795869133311,0,NULL,NULL,NULL,0,X'f5f229d90fc0e4a40ac1fbaaf1d2a2956993c3092917052535ad1cbb154737cb');
INSERT INTO platform_key VALUES(X'623618fea0a1aae3','sealing',2,X'fdd33fc47b614cec1ee4a9816c87565ba299e93b96636499ef92826c527493a4a366536460e24a42417dc154138541a322e64c25134accd5902a7a536eb8cef405b37d8b740d2859eed35502b1acfc474d18b24387004c363761f66451444837dd99b27f033d90150c05567ffbf82707b81a90b53499e677a8e8abb112bae75a0a8b59b2e8407e1fa903fd5a5e0d18484c110127db7b4e36b02463b834551bb84b9a524023571496f31206fd048111d737f7f7263c75138fa24ca43104c89a26ddd27479989438549a733092ec189cd87174b2d196f865b060b48b26c34297a24222c05fe38589ea72730f60cf57ca1497b76af984313d85c7daf28a1285145ca6cce921bc275a99e2e73fbf98ab36ab9c916ba16199a194cb335c101fe531680c26647e17afda263103972fd7db548584cbe740c19072685a719eaea9386a8a52677360f182529791c6f052772f52cda86653cf6ab596f90e7ca78297c0c95dac796f7bb62aba601b8b2fb61b6bfaf22b89155fe41419f7d520950860b9559fe2391eb3a79bcd26a2950ca05e472529a63d4bf0c90bb04c21c7382e3aa24c205844d54d5c6c3e32d38cf73b06f121132e30a24c369612464622c5444491843fa40d6f879c223a663d487796ab5645955a8b26b83ebcaf60537765073c4d2a16d89234ef90a696d69d4e92b6461b418a4257601676df362c0291740432cf921c04a1538c3c19025455558e30ac43c673e24a93743a6e362b6c6a61678592224e764d76a28a63a05b23983886d8b59f128ea671726666352f7371fb6983cd2c081bbba9718a4604a706cf6833c1914dbce749c8b740c095b4c710030a98ae32b628b5da64a93071796c521ddabc9dabcbdde5792d45a01f241e160154f566bd84454c53bc8e71ba716545cb4db078ba0acf1a942eb0a30fae5947864900fbd9bb5b275d68e823db5133a5f639adc2c955dcc1816754b8bc8cdd05375c316b0aba0be0366d556917d7f16f125c868fd2577f0449598bc96960b19722af3e852ab2793f31d8412ee41090a502eaa62f9f027447c33bb637073b708905316eac692333149f2ae7a22c891b43113d20c2cc25eca77bd7bbbc0227e2596542acacd8403ba6e80e9d1ccc1be3485cd79dbbf0cf38f49c1ed932fbda3805770b64481ac6a0cb78b90b9263bedc2844a6921901348014b66f0d7557ebb931fdd36536f289d65a13edeb8298142e95a65a4136a83d303eb5796e6b9816d8f70876ec6985131b8e6a1eb3253cfa3a65c89b15cc9931cba25ce92bbd7442a24703a9dab7ca93083daeea5ce7d21e8c1480fb9b207172b81e68b12145b39c09903d863a23ba207be832a4b65ca1c03e2372aeb87924d44a2d04bb35c3113d0e85bbc48618d646c7ee7c000e5619ac34c559c202489528ea6c42c97c231fba95b0942374a24c9801750587501c7b77bb65a64d666aa36c123621c30d198d266611ee702147d589ea8106fd286814d8aec951797606853fdc31574233be8b7657642af60060ae68599c339a2be6a492d3a0c1ba0b75a44f5a94aaec0738dfa047eeca1a43acac8f94cba83b95d74c705acb5fe5b39bfee46d11b14901202258905adc9ab45a53cc62b15540725e1634cca045bfe31ea3972f493cb6f79c68186bbf66b142afd245944a6bc4a826a65bbd5d502bbd0d8157c8e583bdd6b128971dce43386ca30368',X'0100000000000000009c09ee7cd43b7d21717e32a9a808541e35cf23ae41f6ea17925a39b45789e9bd643ef49f5a92ffa1c9001ad7acbdf4336feaa34a898f98f2db6a832c',1795869133311,0,NULL,NULL,NULL,0,X'4a4635c1ae48c7fc97e704328d050427edadac211014da4836e24f29d5cad734');
INSERT INTO platform_key VALUES(X'857431b7abe3cb87','audit',-19,X'333a0031c4f53c4b3a9cc54aa1a2e69705bfdd18b33fce26f22329bd65df5a10',X'0100000000000000004c25be016e670ccb903b4febde00011e3d43f9f6b2b78220424706c04afb15a377c4a6d0da39bae1c2616392f2152fd6bddc16f4bcd52f4248b65ad0',1795869133311,0,NULL,NULL,NULL,0,X'e27a7d0d14b671877ca8bdb5eadece4ad216805f65930f8f17d730755fd56549');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da20132044803cd2ce75b4d3d5aa059056f8501f61b000001a2222449ff84864803cd2ce75b4d3d5a003258207f82062b34c855a6127ce8316bb8ccd24b54425e54fe91b1ba50ca316959e58000f686482a2d92a8711ffc3a01015820b79e683c301916e1049bcfcf1e6a6bf65abbdfed6f9e8779b1c2138124db086f00f68648623618fea0a1aae301025904c0fdd33fc47b614cec1ee4a9816c87565ba299e93b96636499ef92826c527493a4a366536460e24a42417dc154138541a322e64c25134accd5902a7a536eb8cef405b37d8b740d2859eed35502b1acfc474d18b24387004c363761f66451444837dd99b27f033d90150c05567ffbf82707b81a90b53499e677a8e8abb112bae75a0a8b59b2e8407e1fa903fd5a5e0d18484c110127db7b4e36b02463b834551bb84b9a524023571496f31206fd048111d737f7f7263c75138fa24ca43104c89a26ddd27479989438549a733092ec189cd87174b2d196f865b060b48b26c34297a24222c05fe38589ea72730f60cf57ca1497b76af984313d85c7daf28a1285145ca6cce921bc275a99e2e73fbf98ab36ab9c916ba16199a194cb335c101fe531680c26647e17afda263103972fd7db548584cbe740c19072685a719eaea9386a8a52677360f182529791c6f052772f52cda86653cf6ab596f90e7ca78297c0c95dac796f7bb62aba601b8b2fb61b6bfaf22b89155fe41419f7d520950860b9559fe2391eb3a79bcd26a2950ca05e472529a63d4bf0c90bb04c21c7382e3aa24c205844d54d5c6c3e32d38cf73b06f121132e30a24c369612464622c5444491843fa40d6f879c223a663d487796ab5645955a8b26b83ebcaf60537765073c4d2a16d89234ef90a696d69d4e92b6461b418a4257601676df362c0291740432cf921c04a1538c3c19025455558e30ac43c673e24a93743a6e362b6c6a61678592224e764d76a28a63a05b23983886d8b59f128ea671726666352f7371fb6983cd2c081bbba9718a4604a706cf6833c1914dbce749c8b740c095b4c710030a98ae32b628b5da64a93071796c521ddabc9dabcbdde5792d45a01f241e160154f566bd84454c53bc8e71ba716545cb4db078ba0acf1a942eb0a30fae5947864900fbd9bb5b275d68e823db5133a5f639adc2c955dcc1816754b8bc8cdd05375c316b0aba0be0366d556917d7f16f125c868fd2577f0449598bc96960b19722af3e852ab2793f31d8412ee41090a502eaa62f9f027447c33bb637073b708905316eac692333149f2ae7a22c891b43113d20c2cc25eca77bd7bbbc0227e2596542acacd8403ba6e80e9d1ccc1be3485cd79dbbf0cf38f49c1ed932fbda3805770b64481ac6a0cb78b90b9263bedc2844a6921901348014b66f0d7557ebb931fdd36536f289d65a13edeb8298142e95a65a4136a83d303eb5796e6b9816d8f70876ec6985131b8e6a1eb3253cfa3a65c89b15cc9931cba25ce92bbd7442a24703a9dab7ca93083daeea5ce7d21e8c1480fb9b207172b81e68b12145b39c09903d863a23ba207be832a4b65ca1c03e2372aeb87924d44a2d04bb35c3113d0e85bbc48618d646c7ee7c000e5619ac34c559c202489528ea6c42c97c231fba95b0942374a24c9801750587501c7b77bb65a64d666aa36c123621c30d198d266611ee702147d589ea8106fd286814d8aec951797606853fdc31574233be8b7657642af60060ae68599c339a2be6a492d3a0c1ba0b75a44f5a94aaec0738dfa047eeca1a43acac8f94cba83b95d74c705acb5fe5b39bfee46d11b14901202258905adc9ab45a53cc62b15540725e1634cca045bfe31ea3972f493cb6f79c68186bbf66b142afd245944a6bc4a826a65bbd5d502bbd0d8157c8e583bdd6b128971dce43386ca3036800f68648857431b7abe3cb8702325820333a0031c4f53c4b3a9cc54aa1a2e69705bfdd18b33fce26f22329bd65df5a1000f6a0584054939ef5e8155dee75255320e6b83f1d04124f845abf0892fd3a3e25ebbd57fcb7a69b3303ee2e127b743ff5b71ab88dc4dc716d34be4fa2312a481d2e468503',1795869133311);
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
INSERT INTO api_key VALUES('03ef255db9f6ac76','','app-server',X'c5e4565f4d87f7bc8221bb9ccb219afa0767ce8fba6521a475ca5ba81d5ac538',1795869133741,NULL,0,0,'',0,X'e4ce0387b12d4a9ecc1cf1d29276e18f8fb970eafb703f253836c2cbd45eaf00');
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
INSERT INTO account VALUES('alice@master',1795869134786,'5279de532347673e8ff995fefcfac8a0',NULL,NULL,X'0100000000000000011abc2b2cb43e924a6066279452117b25739d0e50fc3bbbdd8cfdd8bc1898e194ee91c258a15b73b4233cda78e76755e24b3a7fa227aead919ef8ae5c601cb2644dc4c7884f6908c4c83977490a124a4d',0,0,X'f52d2e96d1891f06802f3c6f97b30e57',0);
CREATE TABLE account_risk (
    account TEXT NOT NULL PRIMARY KEY,
    state BLOB NOT NULL CHECK (length(state) <= 65536),
    version INTEGER NOT NULL CHECK (version >= 0)
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
INSERT INTO activation_password VALUES('alice@master','5279de532347673e8ff995fefcfac8a0','TI0114627967',16410,X'01000000000000000053838824163aa12fba807a14d254e56dd87c306972e089d82e555ca503ba46571ea23aa7',1795869134786,1795869734786,0,NULL,0);
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
INSERT INTO audit VALUES(1,X'87a5b2733ef9349164be3003a458a05e',1795869133741,'api-key.created',NULL,NULL,'03ef255db9f6ac76','administrator','2529784e7a5874d4ceebaff970ed0325',NULL,NULL);
INSERT INTO audit VALUES(2,X'b2432cb2dcf107a2605f714451059494',1795869134786,'account.registered',X'f52d2e96d1891f06802f3c6f97b30e57',NULL,'','api-key:03ef255db9f6ac76','c1dc35835b4e3a00617eb9c50b8cdcb4','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'4fdad9e7fcd72c32f2ebb76dad44c39d',1795869135847,'login.accepted',X'f52d2e96d1891f06802f3c6f97b30e57',NULL,'staticPassword','api-key:03ef255db9f6ac76','da718cd07104650ac3719022f4fcc750','127.0.0.1',NULL);
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
    count INTEGER NOT NULL CHECK (count >= 1),
    version INTEGER NOT NULL CHECK (version >= 0)
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
