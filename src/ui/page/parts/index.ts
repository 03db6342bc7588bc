/** What views are made of, by one name. */
export * from './button.js';
export * from './json-view.js';
export * from './copy-button.js';
export * from './data-table.js';
export * from './dialog.js';
export * from './empty-state.js';
export * from './explanation.js';
export * from './export-menu.js';
export * from './field.js';
export * from './filter-menu.js';
export * from './icon.js';
export * from './menu.js';
export * from './split.js';
export * from './phone-field.js';
export * from './status-badge.js';
export * from './toast-list.js';
export * from './virtual-list.js';
