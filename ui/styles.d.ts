/** Vite takes these out of the program and puts them into the page. */
declare module "*.css";
