import { render } from 'preact';
import { Admin } from './admin';
import './page.css';

const root = document.getElementById('admin');
if (root !== null) render(<Admin />, root);
