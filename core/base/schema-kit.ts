/*
 * What edges of this package build schemas of their own with. Names are picked, because the schema
 * library as one object would keep all of it, forty languages included.
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
