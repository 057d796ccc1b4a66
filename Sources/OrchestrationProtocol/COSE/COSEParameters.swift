/// The parameters of a header by label, in the order in which they are encoded.
///
/// A header has few parameters, so a search is linear.
package struct COSEParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private struct Parameter: Sendable, Hashable {
        let label: Int64
        let value: CBORValue

        /// The position in deterministic encoding: the integers from 0 up, then those from -1 down.
        var order: UInt64 { label >= 0 ? UInt64(label) : 1 << 63 | UInt64(bitPattern: ~label) }
    }

    private var parameters: [Parameter] = []

    package init() {}

    package init(dictionaryLiteral elements: (Int64, CBORValue)...) {
        parameters.reserveCapacity(elements.count + 1)
        for (label, value) in elements { self[label] = value }
    }

    package var labels: some Collection<Int64> { parameters.lazy.map(\.label) }

    package var isEmpty: Bool { parameters.isEmpty }

    package subscript(label: Int64) -> CBORValue? {
        get { parameters.first { $0.label == label }?.value }
        set {
            if let newValue {
                // Most parameters are set in their order.
                let parameter = Parameter(label: label, value: newValue)
                guard let last = parameters.last, last.order >= parameter.order else {
                    return parameters.append(parameter)
                }
            }
            let place = parameters.firstIndex { $0.label == label }
            switch (place, newValue) {
            case (let place?, let value?): parameters[place] = Parameter(label: label, value: value)
            case (let place?, nil): parameters.remove(at: place)
            case (nil, let value?): insert(Parameter(label: label, value: value))
            case (nil, nil): break
            }
        }
    }

    private mutating func insert(_ parameter: Parameter) {
        let place = parameters.lastIndex { $0.order < parameter.order }
        parameters.insert(parameter, at: place.map { $0 + 1 } ?? 0)
    }
}

extension COSEParameters: CBOREncodable {
    package func write(to output: inout some CBOROutput) {
        output.map(parameters.count)
        for parameter in parameters {
            output.integer(parameter.label)
            parameter.value.write(to: &output)
        }
    }
}
