import { render } from 'preact';

import './page.css';
import { Wallet } from './wallet';

const root = document.getElementById('wallet');
if (root !== null) render(<Wallet />, root);
