/*
 * Functions with which the edges of this package build their own schemas. They are exported by
 * name, because exporting the schema library as one object would keep all of it in the bundle,
 * including forty languages.
 */
export {
	array,
	boolean,
	custom,
	enum,
	number,
	object,
	preprocess,
	record,
	string,
	unknown,
} from 'zod';
