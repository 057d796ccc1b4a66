-- A row of each table, with the names of step 1. A sealed value is X'01', the length of the key id, the key id, a revision
-- of 8 bytes, and the sealed bytes.
INSERT INTO platform_state (id, tenant, created_at, restored_at, version) VALUES (1, 'default', 1000, 2000, 3);
INSERT INTO account (name, created_at, registration_id, activated_at, static_password, version)
    VALUES ('alice@master', 1001, 'r1', 1002, X'01026D310000000000000005AABB', 4);
INSERT INTO activation_code (account, registration_id, serial_number, handle, secret, created_at, expires_at, tries,
        spent_at, version)
    VALUES ('alice@master', 'r1', 'TI0000000001', 32767, X'01026D310000000000000000CC', 1003, 601003, 2, NULL, 5);
INSERT INTO activation_session (id, account, registration_id, first_request_hash, first_answer, keys, expires_at,
        second_request_hash, second_answer, kept_until, version)
    VALUES (X'05050505050505050505050505050505', 'alice@master', 'r1', X'01', X'02', NULL, 1004, X'03', X'04', 1005, 1);
INSERT INTO device (id, account, registration_id, serial_number, state, lock_reason, state_before_lock, created_at,
        pending_until, activated_at, revoked_at, name, sdk_version, methods, device_key, suite, notification_identifier,
        secrets, chain, chain_index, offered_index, promoted_at, generation, password_failures, receipt_hashes,
        is_restored, last_seen_at, version)
    VALUES (X'07070707070707070707070707070707', 'alice@master', 'r1', 'TI0000000001', 'locked', 'cloneSuspected',
        'active', 1006, 1007, 1008, NULL, 'phone', '1.0.0', '0 1 2', X'0202', 2, 'pull:00ff',
        X'01026D310000000000000000DD', X'01026D310000000000000009EE', 9, 10, 1009, 3, 1, X'0A', 1, 1010, 6);
INSERT INTO code_counter (device, instance, application, next, drift)
    VALUES (X'07070707070707070707070707070707', 1, 8, 9223372036854775807, -2);
INSERT INTO throttle (account, kind, source, consecutive, total, level, level_since, blocked_until, untold, used_at, version)
    VALUES ('alice@master', 'code', 's1', 1, 2, 3, 1011, 1012, 4, 1013, 7);
INSERT INTO replay (device, request, request_hash, answer, kept_until)
    VALUES (X'07070707070707070707070707070707', X'08080808080808080808080808080808', X'05', X'06', 1014);
INSERT INTO api_key (id, name, scope, secret_hash, created_at, revoked_at)
    VALUES ('k1', 'shop', 'app-server', X'0B', 1015, 1016);
INSERT INTO platform_key (id, purpose, suite, public_key, private_key, created_at)
    VALUES (X'0101010101010101', 'sealing', 2, X'0C', X'01026D310000000000000000FF', 1017);
INSERT INTO audit (sequence, time, event, account, device, reason)
    VALUES (1, 1018, 'account.registered', 'alice@master', X'07070707070707070707070707070707', 'because');
