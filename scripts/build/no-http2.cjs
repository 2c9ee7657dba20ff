/** Stands in the bundle for undici's HTTP/2 client (gulpfile.js). */
module.exports = function connectH2() {
	throw new TypeError('HTTP/2 is no part of this package');
};
