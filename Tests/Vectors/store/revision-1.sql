-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The key is public, and for this test only:
-- master.key cab48805b9a5b845:3a7f058957b705ca41ee791ac80f7905fc6fc48699fa890d53b6b525efc0f345
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
INSERT INTO platform_state VALUES(1,'default',1795871327048,NULL,0,0,0,0,'cab48805b9a5b845',X'010000000000000000ba6c5dccb3dab15495f1e55f98f83b2102f2833d555bd7807710d4054e8f239c9d523d2df8d4fbe2cb584f496a549c93bf0c4301f2d476575e177b2791860a54c70f8a08550f435e3e9124a29ae6a2804c098a62a7e88354c02b3843b843b616d5ca708515c1c51ea56d218685109eda306f9248349934f33ba51bf87710bf3d589842577e663a82c0a25f87b8e31358f223239ae71fdcd13ad8907123839042da19fb2e72e84b97d2c95b3abae750d12537cf390e1eed6251b1d0fa0753db1c1d022f8d032ffbd63b6ac55413c689d82836faf30ec39c12dcd67628215b7983284285fc2193a537ea9cac91683f14785e06d5b07bf0af1bb6062f46',NULL,NULL,NULL,0,X'0000000000000000000000000000000000000000000000000000000000000000',0,X'27313cf1bf0c259708ccf4687c48937ac850df4e19dbf461370fc60fd2e67872');
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
INSERT INTO platform_key VALUES(X'016ceeb560f2b477','signing',-19,X'9b9d4c0116c8a874ebd328b5696744ea35cd68b4cbed7804b79e02f58d9b5174',X'0100000000000000003119ba2a04d0fd19bda0c8a69022c13faa5b0f5ae38d129c69b7827fc75a8c76d088644598dabf27369dace7d16d023c9633e5fb1439139f3a3cc194',1795871327056,0,NULL,NULL,NULL,0,X'7a328979bbc8212ab59be64ec887171d6df48e263d03ce53de4f63d90baff57e');
INSERT INTO platform_key VALUES(X'20c8f6eddb16dc5d','sealing',2,X'c68621b36457abe8b883a8ab8081714920c2579b528991088138158caa55fd12592848beb86a2148b07b5b747eac49ab8914681b962598db5d66c453759b5dd87a93f7130b07e128393c3173f3bd49ac4c97050a130760de8642e52813959b4f4fcc4dad5554a477b9e49b41cd25ca181327e990050c19bfa5da430c81cf401c98f6f5c2ab800c199b6f2ab88373e34d5bb6197e34691b2550a32624674744b98849f992786cc54ae403232fda7af904d0599672ace12f8f523c9da4b9f04c2b802741b9711d7f35b6261c27e4919a0c0859b37a1b13a52e5e42a23cb3614fa3c44153bd2c401e70866f5c3510658255adec986b75075632252d5b7e2e427800a3323a7a5302858db9f7aeef3b9d08080d3123b484a662b92469715193e22650f7c708f48aa5a11432f089ab67928f56462c0f346ddb246361f3ce13d61ee6d3a4c059af6e7003977607a755cc6e42512a5a822a1bab373c5824157bd984229ce39e8df99bd6fac3245a69be608d72698ed12a17717b19e3cb5125d74d17cb95b2c07c1394946dec190b95a1837548f99c7cab2991c0325ce171596371b26b625aadc60a1ff8453de1202138b634437846314f806b04cc928bb8261171696579e22aa7d87a2879363557132e3b914a4146f54408ce3c5823e8a228dba89b80b4438b818d208150f071bbb2b495b454971bba53189aad2cb72283cf08a9941e792f3514c863932dd587b7bc000d2923288ffb6d165ab07eb2c37b50ad746c069f16849f63c18ab018f8107eea17cd11bc477d036e802ccc1214105ed60d862b5ebac12c98314cb0882d0f3461112162f11741cd211e25fc62d9c2124b557f47a91bf72447ffc8629e8a73098104d9873a1c2582ad442cd575cb9241ae5adc1796249fd6ab1f45a86b77e37a0cd849a5950d4feb2e042cc853887ba201550e7898ed70176fa2514b03a8f6c6c29079abc78c5879ecc8187098c68c63118a5d0d98604615a771e1a4d49117c3972df44920a6bcae06c81588bb3d0d7c30274743b875cfd6fa53bac866bed1b79f7254e3eab3e386b74aeca125c789b7c9368c8b7d642b81d741376dc400bef40d4833a008f15f611b06c70298ba0744d4a37c293828e568cc73f3b45d173a5de15b752ab3280322a1f9aa598b0efd1996505565b9899b58667b246378ee510abaf2ad8c4b62692415b005b059b15fa39b67850656223426ea963cbf1c52f7700838f58792ba875c99a926a25d69054f6c714cb86808a70547f9f23b9d79479b43354b819b76d3442f36272d124abed491a0bc14e0e9411418b08046a6a63c139cc31ff03c0bd5858028635d24d79d357919fc5382a066ccae22ca8282ce6d7c223bc6a4cca760742ab9703b0f876932361b29c79633b5dbb427347216884f43ec06b8410d73c0454bf20764aa7e91c35f86bcc2760ccb8a354521db6879d7968ba9aaae178ed17ba20bea287ca87b2b8080c90c95b6d5b65bd51fc0c00e49132014862c2a99a120583202005c0ba598266a8bd39a802c300bb836073a646895b73a6f8818e6cc1a19705bd3199d4844a082d7b5830871301288922679fbc810521cb1d12cb3f5a2023f6c1174220f12ec43a7a64ccd3550c76313cf7be0c587cf2feaf699bfbf26d57636778b2e7e2a21d3c37dc513cb51f6ba88703e8a42ff3b42508f27d631234cb68a19aaffeaa14477f96067',X'010000000000000000e2a53ed4667818a10407113c79d3a0a7b83572d89b02ab7267b2d5ba5785a192274aac68808baccecde3865a80fcd0c7eb22b21ff60208a9d2bd4d17',1795871327056,0,NULL,NULL,NULL,0,X'c5d0a5f103dab25e136b3bc86d87c22d4634334d24fb8969cbca284918fb2669');
INSERT INTO platform_key VALUES(X'2fc4107ca92cadaa','audit',-19,X'3f4c9ad78ad521eba18abb471a4bcee277ac820497194ea7c8ed11b37acf1657',X'010000000000000000eb833a90bc28ebba68375f6b6f42345c0b706a893b44696415b27463c523d2972363647ab6e79ffe8a7be23b782c1fc5e24b875a2679a110a408d947',1795871327056,0,NULL,NULL,NULL,0,X'f555b2ab8ce58373afd0fbd26776cd56b9bd2a09f6df97ba06a2209676487104');
INSERT INTO platform_key VALUES(X'c4ddcae51783796f','sealing',1,X'042c2dc8c96ea34745df644b73e02e92f610f843047032fa3a9c34661fb2170f',X'010000000000000000aba5f2cb18f02e5723e499c67449f4b3ded25201d1b331b8dd39e11a7505e8e2a7bd15ee03af3fb3bc089e2992a43f1422012177780968ced5c26b8f',1795871327056,0,NULL,NULL,NULL,0,X'a01f968cbf373545432b4d7c6ecf14d2cca5242c83392ffdac9dcb88510adf38');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da201320448016ceeb560f2b477a059056f8501f61b000001a22245c350848648016ceeb560f2b477003258209b9d4c0116c8a874ebd328b5696744ea35cd68b4cbed7804b79e02f58d9b517400f6864820c8f6eddb16dc5d01025904c0c68621b36457abe8b883a8ab8081714920c2579b528991088138158caa55fd12592848beb86a2148b07b5b747eac49ab8914681b962598db5d66c453759b5dd87a93f7130b07e128393c3173f3bd49ac4c97050a130760de8642e52813959b4f4fcc4dad5554a477b9e49b41cd25ca181327e990050c19bfa5da430c81cf401c98f6f5c2ab800c199b6f2ab88373e34d5bb6197e34691b2550a32624674744b98849f992786cc54ae403232fda7af904d0599672ace12f8f523c9da4b9f04c2b802741b9711d7f35b6261c27e4919a0c0859b37a1b13a52e5e42a23cb3614fa3c44153bd2c401e70866f5c3510658255adec986b75075632252d5b7e2e427800a3323a7a5302858db9f7aeef3b9d08080d3123b484a662b92469715193e22650f7c708f48aa5a11432f089ab67928f56462c0f346ddb246361f3ce13d61ee6d3a4c059af6e7003977607a755cc6e42512a5a822a1bab373c5824157bd984229ce39e8df99bd6fac3245a69be608d72698ed12a17717b19e3cb5125d74d17cb95b2c07c1394946dec190b95a1837548f99c7cab2991c0325ce171596371b26b625aadc60a1ff8453de1202138b634437846314f806b04cc928bb8261171696579e22aa7d87a2879363557132e3b914a4146f54408ce3c5823e8a228dba89b80b4438b818d208150f071bbb2b495b454971bba53189aad2cb72283cf08a9941e792f3514c863932dd587b7bc000d2923288ffb6d165ab07eb2c37b50ad746c069f16849f63c18ab018f8107eea17cd11bc477d036e802ccc1214105ed60d862b5ebac12c98314cb0882d0f3461112162f11741cd211e25fc62d9c2124b557f47a91bf72447ffc8629e8a73098104d9873a1c2582ad442cd575cb9241ae5adc1796249fd6ab1f45a86b77e37a0cd849a5950d4feb2e042cc853887ba201550e7898ed70176fa2514b03a8f6c6c29079abc78c5879ecc8187098c68c63118a5d0d98604615a771e1a4d49117c3972df44920a6bcae06c81588bb3d0d7c30274743b875cfd6fa53bac866bed1b79f7254e3eab3e386b74aeca125c789b7c9368c8b7d642b81d741376dc400bef40d4833a008f15f611b06c70298ba0744d4a37c293828e568cc73f3b45d173a5de15b752ab3280322a1f9aa598b0efd1996505565b9899b58667b246378ee510abaf2ad8c4b62692415b005b059b15fa39b67850656223426ea963cbf1c52f7700838f58792ba875c99a926a25d69054f6c714cb86808a70547f9f23b9d79479b43354b819b76d3442f36272d124abed491a0bc14e0e9411418b08046a6a63c139cc31ff03c0bd5858028635d24d79d357919fc5382a066ccae22ca8282ce6d7c223bc6a4cca760742ab9703b0f876932361b29c79633b5dbb427347216884f43ec06b8410d73c0454bf20764aa7e91c35f86bcc2760ccb8a354521db6879d7968ba9aaae178ed17ba20bea287ca87b2b8080c90c95b6d5b65bd51fc0c00e49132014862c2a99a120583202005c0ba598266a8bd39a802c300bb836073a646895b73a6f8818e6cc1a19705bd3199d4844a082d7b5830871301288922679fbc810521cb1d12cb3f5a2023f6c1174220f12ec43a7a64ccd3550c76313cf7be0c587cf2feaf699bfbf26d57636778b2e7e2a21d3c37dc513cb51f6ba88703e8a42ff3b42508f27d631234cb68a19aaffeaa14477f9606700f686482fc4107ca92cadaa023258203f4c9ad78ad521eba18abb471a4bcee277ac820497194ea7c8ed11b37acf165700f68648c4ddcae51783796f01015820042c2dc8c96ea34745df644b73e02e92f610f843047032fa3a9c34661fb2170f00f6a05840e586f625f5094e9a4f50677dfa60af287ef354450073bc401aa1b95579fcfbd64f499e0ba7c6cf12ea008099eaf1817f7b48ad9eed5bd13887c717f60d2b8502',1795871327056);
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
INSERT INTO api_key VALUES('a0e739337d52ae3f','','app-server',X'6e752f709932801f5570fe50f2b9b964f159a14986be32581c01b3629a5d4447',1795871327586,NULL,0,0,'',0,X'570e571ebafcdc16134c55f6093746336f37d5785fd33c2862d8b31e8a4222b4');
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
INSERT INTO account VALUES('alice@master',1795871328508,'bbc3eef14e5b241172e4f6ca56c41ef6',NULL,NULL,X'010000000000000001a4adbbe94d399a37173f24fbd61d94b4fccd5795fc9730efc74e66d18652409281e90ea0ddd204bbe1d9c24c4f9c244e72963cea0e0dd982303c10d727c09ac6b9b9a1f2eaf986d9bfb2ab43df054dbe',0,0,X'fe45081708e80e85cc386185b535e975',0);
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
INSERT INTO activation_password VALUES('alice@master','bbc3eef14e5b241172e4f6ca56c41ef6','TI5717505885',15877,X'010000000000000000f582c7c8bf4cee5ec64b2d373daea79443c54278cd493472792e96affab073fbb5cd5eb7',1795871328508,1795871928508,0,NULL,0);
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
INSERT INTO audit VALUES(1,X'f7b15016f6f580651ec57944181c6fa2',1795871327586,'api-key.created',NULL,NULL,'a0e739337d52ae3f','administrator','d5a3e443eedd5db65df47065828620b3',NULL,NULL);
INSERT INTO audit VALUES(2,X'000335ada1516718cf7eb286bcdc588b',1795871328508,'account.registered',X'fe45081708e80e85cc386185b535e975',NULL,'','api-key:a0e739337d52ae3f','d04dc646f5f60d5ff976a1d0eb445d39','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'01e337e3395aa22c1e23b9f46a7a50f1',1795871329458,'login.accepted',X'fe45081708e80e85cc386185b535e975',NULL,'staticPassword','api-key:a0e739337d52ae3f','5a57788c5102eec6fc396ca5f51c1cf1','127.0.0.1',NULL);
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
CREATE UNIQUE INDEX account_by_subject ON account (subject);
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
COMMIT;
