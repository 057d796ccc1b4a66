#if canImport(Darwin)
    internal import CLibrary

    extension NetworkCollector {
        static func kinds() throws -> [NetworkInterfaceKind] {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard unsafe getifaddrs(&list) == 0 else { throw CollectionFailure() }
            defer { unsafe freeifaddrs(list) }
            var kinds: [NetworkInterfaceKind] = []
            var next = unsafe list
            while let interface = unsafe next {
                if unsafe interface.pointee.ifa_flags & UInt32(IFF_UP) != 0 {
                    unsafe NetworkInterfaceKind(darwinName: String(cString: interface.pointee.ifa_name)).map {
                        kinds.append($0)
                    }
                }
                unsafe next = interface.pointee.ifa_next
            }
            return kinds
        }
    }
#endif
