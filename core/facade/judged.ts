/**
 * Hands a value of a foreign program to a method of the facade: the body of an HTTP request, the
 * parameters of a node, an option of a command. Its type is not known before the method has judged
 * it by the schema of its input, and refused it with a code.
 */
export function judged<Input>(value: unknown): Input {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the one place for all inputs: the method parses its input before it uses it
	return value as Input;
}
