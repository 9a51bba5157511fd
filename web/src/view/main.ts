document.body.append('The player comes here.');
