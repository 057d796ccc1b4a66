-- A database of revision 1, made by `sqlite3 platform.sqlite .dump` after a first start of the server, the registration of
-- alice with a static password, and her login with it. The key is public, and for this test only:
-- master.key 6b1a7d63505fc9e6:e96f83aa03e0154605b2be87fd0f0d0eb06dac710011172642485fb84aa67a3a
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
INSERT INTO platform_state VALUES(1,'default',1795886433787,NULL,0,0,0,0,'6b1a7d63505fc9e6',X'010000000000000000b829b76273fad2915b8fde166ed819b43d37188f37211d899b29a0faffb60dd7e7eccca16de281e11b722c1239f3326de651e61415e57d0b24c6fd09f0c9a35b8cc1fc7403623b864955c8a83b3aac61950df2bfe473e44a292d8a9e53056cab43be490611a04f429b519901575253c6b84bf7b4630efdc322da81d6ad82f47dce53fd27db10626b0bb1f58c3d710d8794bdcd3949a8ffb810c7193aedd71cd054c51c5229abbcb319cb79c97c61b20be69d5a2bac5b14c31441b9c62d55b524aa1456a98efa778d8980df356bcc0baa000b13a6e1a2fdbb1d467ae1',NULL,NULL,NULL,0,X'0000000000000000000000000000000000000000000000000000000000000000',0,X'e1760d3afb95bdd1b162bff2ef748211b5ef3545784d5c9c346483048b8e0475');
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
INSERT INTO platform_key VALUES(X'08dee38dfdc334bf','signing',-19,X'2bc327dec48f989df37c79d45c70a278eedbecf2da07e1ea334187a106431313',X'010000000000000000cc197f52343881c53e85476fb3df9e90ac5b041683ad68fefecc0993e372ed2a4605a974dd38d945d86bcfc06c86ff1a3b486255d19538b3f21c1ddf',1795886433797,0,NULL,NULL,NULL,0,X'8c737bf98ff26ce4b3c24e9bfbae49b0d67aecd1b5cbc9c79aabbcd48c289fd9');
INSERT INTO platform_key VALUES(X'7b45cd66e3edef9f','sealing',2,X'dd61cdc7e16bbc850b6dea3e9412a9b02b1ad7250b9ae7b46058bc37c9ad3049b9774484c481ba71dc63751a6b892bbb9077aa8de79e8a34cf32511551e50cbd33b9cd2c70ed387693d8c729c10dba3c9207920ef5c67b663003965377539a6f72413ab91631588525eafa690376409e31a6cf346965d501f5db70a66a0ab00391d97481802245751934be25bdb868a968c40cee25ba878949b7275314166ba418b65bec50177495dce0c445bc673300c2845a203a351f70355bd55800413c1766c81ceeb06050876728bc3fdcc7b8866473fba1ba72acab420b77fca17b4a9ca3257875829375fbcc60251143e6271c683b96c1a15a36913ae90c55cbd7398d707d65ac5fbcc1c9da0089a983127e7c33bdd60e121a3997a049e05a44bb9a3218997c4a764bf2827df37c2e735c3cf7b90a576bbd558436f7da5825216b5bdb6cbe61b996157a7bc9939dfb54684b72183c3fd15921cbc36f61b729b0483880e63fce0025eeab149a8a9b9ab403f3958cdfc8ce82ec391f133383338060fb45e178b25e3052badc7eecd6c5f074080c12b75c98865feaa6f4f4217a35c8f6cb4812b9b479e33ff81a05f097643de65b999b3c8048c7bdb2146f7a389308b006b2c2469baf08497a39b40983812b4bd4b3372ab6311a87fa101daaec4621e76e2ca8a8e9761d4a3217f2b95d0da78097f82bcf229e688ca427e6ae2e286804713f7412790dd837dc1245bb2351ff335b47c153b2e28ae6725615d03b66402dfff05b506c0da0fb1357b568420b0907b7a9f5d14febb0917049b016b29fd1a8ae9e8c8a1890c36105493cfba3638cb3a7498ef5377c55ecceffea27be5936feb4765080744981732d13c93be754895a7001085267d7a31d5c82bc6a34c9ca8ef181778454827b1762acdcb45c87b29f0bbb585786f6598abb0291d42638ae2b04a7c33fc034389e326cbac492fc701207e5994e029a333a09f8b674b3f55ccb8c4c0aca40c8f969dcd28f3c4260ca3ccff578500f93acea032ac2481566f162c2940e409b7f39e988149ba5761941b5084722960d324a1090486301aaa7a0fb72d5a168bd578e739580400ab6be231ddc2847399c29d81c2908c7454609c9c740135898ae95932318e9718a8251d3644ffef69381e8a227c10094d33eb522c4c98097755cbcf5e829deeb5d45b627b45b4b0a951f67cb676de1b09c43135e10428c89c270196ca1dc2bdc8a4a39995a1df6caa470c35fdb59f4fa56ecc28a63b88b222c13dea51cdf15b632e9b6f6812b9e065d7099500aa46b477997613177eec64b0d0ab792471e88989adf413a1a347bf42727c8dba1d518b29b16b1640a1202ac6ccbfb5f908916bc363a6c3c0b141153dcea07879452699353c20c2a2a5326a05cb1a9e05eed876860633798d8c5c9a34dce6cafa3f645d0b77c06920d95d5c394e86bbe2943f633c4b1c887f3e14066783573c188d27ca3491651c8493b660861b9d1223f9059cacb1f88556264972765c1261a00bdb302736f1ab4f8e103e12a9e342992695ca593fc83d65480dd4cad7f468b80408f46b55346a485c2338c2bb18ae8f47935b0a5ddfbc84bd56744025d05d2529cea9695699e65509091ad5ee7a7c2e5d34fef54ce2d2301d7b83d028cad29385dde96ed84671ea1994eb0b9c9ede2b928081dc2bd8ddd2b9d824a24e4565b8301c39816caa294ea7d',X'010000000000000000a63b54c083cca17d3b23ffe89f35949b22db3d823c4bb189d9ee26b92ac900c35d123deec9a4a147ee569684f96a84303d6735bf70921ff38d413a9a',1795886433797,0,NULL,NULL,NULL,0,X'cb762357386eef355b07f83f362b7f47d1fd7f14265db3d02d08278fbf801b92');
INSERT INTO platform_key VALUES(X'e59fb4d40d2426e7','sealing',1,X'7820f36ab5e3856d4b3a51167d92a1d3656e6cd4291d9748d1b8a6aaeef23948',X'010000000000000000cc0e342433b36ec748411e30450e7030243955ef31a7c0e1fa0b42d5f8c7112bbd09fbfa90754a72fb1dd65e5a366de70281c1e3808a906e60f0fa9b',1795886433797,0,NULL,NULL,NULL,0,X'b541f52c1e2fc59b9fe06ec0841cae0a26c47eba9e615360baaf3dd0e7bd692a');
INSERT INTO platform_key VALUES(X'f9b2113e277f76b3','audit',-19,X'3578e62ace6bdb7c6584f0400833fe34721dbea6474b48d347a86a59e3635ba8',X'01000000000000000038cb5a03ac7cd1e3575388a88d77b829ffb77242690fe6114f14726a8075a8db35a81dc14aef9fe4e9bcd602dff777c5eead9aa698423baea1e6e2c3',1795886433797,0,NULL,NULL,NULL,0,X'ad7dc243159e70f2f950c6718c8f46ff768fa507126a4935e361fdde2db18cf7');
CREATE TABLE key_statement (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
    statement BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_statement VALUES(1,X'815905c5d2844da20132044808dee38dfdc334bfa059056f8501f61b000001a2232c460584864808dee38dfdc334bf003258202bc327dec48f989df37c79d45c70a278eedbecf2da07e1ea334187a10643131300f686487b45cd66e3edef9f01025904c0dd61cdc7e16bbc850b6dea3e9412a9b02b1ad7250b9ae7b46058bc37c9ad3049b9774484c481ba71dc63751a6b892bbb9077aa8de79e8a34cf32511551e50cbd33b9cd2c70ed387693d8c729c10dba3c9207920ef5c67b663003965377539a6f72413ab91631588525eafa690376409e31a6cf346965d501f5db70a66a0ab00391d97481802245751934be25bdb868a968c40cee25ba878949b7275314166ba418b65bec50177495dce0c445bc673300c2845a203a351f70355bd55800413c1766c81ceeb06050876728bc3fdcc7b8866473fba1ba72acab420b77fca17b4a9ca3257875829375fbcc60251143e6271c683b96c1a15a36913ae90c55cbd7398d707d65ac5fbcc1c9da0089a983127e7c33bdd60e121a3997a049e05a44bb9a3218997c4a764bf2827df37c2e735c3cf7b90a576bbd558436f7da5825216b5bdb6cbe61b996157a7bc9939dfb54684b72183c3fd15921cbc36f61b729b0483880e63fce0025eeab149a8a9b9ab403f3958cdfc8ce82ec391f133383338060fb45e178b25e3052badc7eecd6c5f074080c12b75c98865feaa6f4f4217a35c8f6cb4812b9b479e33ff81a05f097643de65b999b3c8048c7bdb2146f7a389308b006b2c2469baf08497a39b40983812b4bd4b3372ab6311a87fa101daaec4621e76e2ca8a8e9761d4a3217f2b95d0da78097f82bcf229e688ca427e6ae2e286804713f7412790dd837dc1245bb2351ff335b47c153b2e28ae6725615d03b66402dfff05b506c0da0fb1357b568420b0907b7a9f5d14febb0917049b016b29fd1a8ae9e8c8a1890c36105493cfba3638cb3a7498ef5377c55ecceffea27be5936feb4765080744981732d13c93be754895a7001085267d7a31d5c82bc6a34c9ca8ef181778454827b1762acdcb45c87b29f0bbb585786f6598abb0291d42638ae2b04a7c33fc034389e326cbac492fc701207e5994e029a333a09f8b674b3f55ccb8c4c0aca40c8f969dcd28f3c4260ca3ccff578500f93acea032ac2481566f162c2940e409b7f39e988149ba5761941b5084722960d324a1090486301aaa7a0fb72d5a168bd578e739580400ab6be231ddc2847399c29d81c2908c7454609c9c740135898ae95932318e9718a8251d3644ffef69381e8a227c10094d33eb522c4c98097755cbcf5e829deeb5d45b627b45b4b0a951f67cb676de1b09c43135e10428c89c270196ca1dc2bdc8a4a39995a1df6caa470c35fdb59f4fa56ecc28a63b88b222c13dea51cdf15b632e9b6f6812b9e065d7099500aa46b477997613177eec64b0d0ab792471e88989adf413a1a347bf42727c8dba1d518b29b16b1640a1202ac6ccbfb5f908916bc363a6c3c0b141153dcea07879452699353c20c2a2a5326a05cb1a9e05eed876860633798d8c5c9a34dce6cafa3f645d0b77c06920d95d5c394e86bbe2943f633c4b1c887f3e14066783573c188d27ca3491651c8493b660861b9d1223f9059cacb1f88556264972765c1261a00bdb302736f1ab4f8e103e12a9e342992695ca593fc83d65480dd4cad7f468b80408f46b55346a485c2338c2bb18ae8f47935b0a5ddfbc84bd56744025d05d2529cea9695699e65509091ad5ee7a7c2e5d34fef54ce2d2301d7b83d028cad29385dde96ed84671ea1994eb0b9c9ede2b928081dc2bd8ddd2b9d824a24e4565b8301c39816caa294ea7d00f68648e59fb4d40d2426e7010158207820f36ab5e3856d4b3a51167d92a1d3656e6cd4291d9748d1b8a6aaeef2394800f68648f9b2113e277f76b3023258203578e62ace6bdb7c6584f0400833fe34721dbea6474b48d347a86a59e3635ba800f6a058409cf0e142da9dd697a689180c1ade9e513626a8e0dd98caeeb78ee44e004d5b834a222fa65a887a70d3ca75666d080ea9dc5b844517795e43ab2e7eac53fe5208',1795886433797);
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
INSERT INTO api_key VALUES('0a6c3ff66c19b6d8','','app-server',X'd0ae279eecdac1f374f229384548322ddda94d7e6708b4203169292d42e78836',1795886434363,NULL,0,0,'',0,X'812b085c789d2a8d6c68906fc32b70fb508fc9c98d037045ec79b77f8d34147b');
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
INSERT INTO account VALUES('alice@master',1795886435268,'0b51481c2437becf9d06893d44d3b597',NULL,NULL,X'010000000000000001b0633b1e580d2e72ec36db6f14b62ae343c22f0b5a88e90d9e555c68adc5e53eb4ffe4f18f2178d1d37d9510a2bee766f9a03311522dbdacef499ba2e97b54bd0308e98a9f33bda8f63bbf335097ec57',0,0,X'dfa271b746851a558c915ebc15741dd8',0);
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
INSERT INTO activation_password VALUES('alice@master','0b51481c2437becf9d06893d44d3b597','TI3704950971',10916,X'01000000000000000061b701cc4e38a63714f5fe585b940cad2668fbce4c7336b8113dee937da377b2f01af351',1795886435268,1795887035268,0,NULL,0);
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
INSERT INTO audit VALUES(1,X'977f3c80187640195133c14159c43fbc',1795886434363,'api-key.created',NULL,NULL,'0a6c3ff66c19b6d8','administrator','2b617aa127cf8301a6a8c084a1f1f1f0',NULL,NULL);
INSERT INTO audit VALUES(2,X'a9462c0ef7e13c79e16661f0601ff870',1795886435268,'account.registered',X'dfa271b746851a558c915ebc15741dd8',NULL,'','api-key:0a6c3ff66c19b6d8','0b7818590a1480b202540b50ab43a386','127.0.0.1',NULL);
INSERT INTO audit VALUES(3,X'9da8472aea414f907a425c228e9ae7c7',1795886436167,'login.accepted',X'dfa271b746851a558c915ebc15741dd8',NULL,'staticPassword','api-key:0a6c3ff66c19b6d8','08be7e8decb4dea64cd9434c04cc616a','127.0.0.1',NULL);
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
