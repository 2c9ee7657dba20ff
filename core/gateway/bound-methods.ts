type Methods<Service> = {
	[
		Name in keyof Service as Service[Name] extends (...given: never[]) => unknown ? Name : never
	]: Service[Name];
};

/**
 * Methods of a service, bound to it, so that callers of the facade may detach them from their object.
 * Private methods are included, so the methods of two services must not be spread into one object.
 */
export function boundMethods<Service extends object>(service: Service): Methods<Service> {
	const prototype: unknown = Object.getPrototypeOf(service);
	const methods: Record<string, unknown> = {};
	for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
		if (typeof value === 'function' && name !== 'constructor') {
			methods[name] = (value as CallableFunction).bind(service);
		}
	}
	return methods as Methods<Service>;
}
