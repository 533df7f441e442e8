// Loaded in front of the program (`--require`): what it decides by the system, it decides as on a Mac.
Object.defineProperty(process, 'platform', { value: 'darwin' });
