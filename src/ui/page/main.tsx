import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/tones.css';
import './styles/controls.css';
import './styles/lists.css';
import './styles/details.css';
import './styles/shell.css';
import { App } from './shell/app.js';
import { keepFocus } from './shell/focus.js';

const root = document.getElementById('page');
if (root) render(<App />, root);
keepFocus();
