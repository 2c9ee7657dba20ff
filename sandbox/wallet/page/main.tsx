import { render } from 'preact';

import './page.css';

const root = document.getElementById('wallet');
if (root !== null) render(<h1>Demo wallet</h1>, root);
