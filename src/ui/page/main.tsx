/** Renders the page into the document. */
import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/tones.css';
import './styles/controls.css';
import './styles/lists.css';
import './styles/details.css';
import './styles/shell.css';
import { keepFocus } from './core/index.js';
import { App } from './shell/app.js';

const root = document.getElementById('page');
if (root) render(<App />, root);
keepFocus();
