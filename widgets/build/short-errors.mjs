// Say what failed without the line it failed in: in Pyodide's script that is all of it, and the words are cut off.
process.on("uncaughtException", (error) => {
  console.error(error.stack);
  process.exit(1);
});
