/* The driver alone: a bundle of its own, loaded when the first PostgreSQL store is opened. */
export { Client } from 'pg';
