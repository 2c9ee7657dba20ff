/** What browsers show beside the name of the page: the icon of the nodes (`icons/enmeshed.svg`). */
export const documentationIcon = [
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60">',
	'<path fill="#0B7A75" d="M15 42h-3a12 12 0 0 1-12-12V12a12 12 0 0 1 12-12h18a12 12 0 0 1 12 12v18',
	'a12 12 0 0 1-12 12v-9a3 3 0 0 0 3-3V12a3 3 0 0 0-3-3H12a3 3 0 0 0-3 3v18a3 3 0 0 0 3 3h3z"/>',
	'<path fill="#E8590C" d="M45 18h3a12 12 0 0 1 12 12v18a12 12 0 0 1-12 12H30a12 12 0 0 1-12-12V30',
	'a12 12 0 0 1 12-12v9a3 3 0 0 0-3 3v18a3 3 0 0 0 3 3h18a3 3 0 0 0 3-3V30a3 3 0 0 0-3-3h-3z"/>',
	'</svg>',
].join('');
